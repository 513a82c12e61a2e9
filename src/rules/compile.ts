/** Match trees and transforms on their own, without a rule around them. */
import { cloneJson } from '../json.js';
import { budgetOf } from '../patterns/index.js';
import { assertMatchRuns, assertOpsRun } from './engine.js';
import { compileClosures, compileProgram, runProgram } from './match/index.js';
import { Projection, compileOps } from './transform/index.js';
import { assertMatch, assertOps, readPatternOptions, type RuleOptions } from './validate/index.js';
import type { EventLike, Match, TransformOp } from './rule.js';
import { Account } from './values/index.js';

/** `compileMatch` of `headgate`, with no engine but the one in `options`; what needs one is `needs_engine`. */
export function compileMatch(match: Match, options: RuleOptions = {}): (event: unknown) => boolean {
  const patterns = readPatternOptions('compileMatch', options);
  assertMatch(match);
  assertMatchRuns(match, patterns);
  const own = cloneJson(match);
  const budget = budgetOf(patterns);
  const closures = compileClosures(own, patterns);
  let program = closures === null ? compileProgram(own, patterns) : null;
  const run = (event: unknown): boolean =>
    runProgram((program ??= compileProgram(own, patterns)), event, new Account(budget));
  if (closures === null) return run;
  return (event) => {
    try {
      return closures(event, new Account(budget));
    } catch {
      // An inherited getter threw, which the program does not call; or one of the event's own, which throws again.
      return run(event);
    }
  };
}

/** `compileTransform` of `headgate`, with no engine but the one in `options`; what needs one is `needs_engine`. */
export function compileTransform(
  ops: readonly TransformOp[],
  options: RuleOptions = {},
): <E extends EventLike>(event: E) => E {
  const patterns = readPatternOptions('compileTransform', options);
  assertOps(ops);
  assertOpsRun(ops, patterns);
  const compiled = compileOps(ops, patterns);
  const budget = budgetOf(patterns);
  return (event) => {
    const projection = new Projection(event);
    const work = { left: budget };
    for (const op of compiled) op(projection, work);
    return projection.event;
  };
}
