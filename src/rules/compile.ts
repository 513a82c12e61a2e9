/** Match trees and transforms on their own, without a rule around them. */
import { cloneJson } from '../json.js';
import { budgetOf } from '../patterns/index.js';
import { Account, compileClosures, compileProgram, runProgram } from './match/index.js';
import { Projection, compileOps } from './transform/index.js';
import { assertMatch, assertOps, readPatternOptions, type RuleOptions } from './validate/index.js';
import type { EventLike, Match, TransformOp } from './rule.js';

/**
 * Compiles a match tree of any depth to a predicate that throws for no JSON event. The tree may be changed afterwards, to
 * no effect.
 *
 * @returns Whether an event matches. A leaf whose pattern met its work budget counts as false; only
 *   {@link explainMatch} and a rule set tell of it.
 * @throws {@link RuleError} with every problem of the tree.
 * @throws {@link OptionError} `invalid_option`
 */
export function compileMatch(match: Match, options: RuleOptions = {}): (event: unknown) => boolean {
  const patterns = readPatternOptions('compileMatch', options);
  assertMatch(match);
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

/**
 * Compiles the ops of a transform to a function from event to event. The event handed in stays as it
 * is; what does not change is shared with it, and if nothing does, it is returned itself.
 *
 * @throws {@link RuleError} with every problem of the ops.
 * @throws {@link OptionError} `invalid_option`
 */
export function compileTransform(
  ops: readonly TransformOp[],
  options: RuleOptions = {},
): <E extends EventLike>(event: E) => E {
  const patterns = readPatternOptions('compileTransform', options);
  assertOps(ops);
  const compiled = compileOps(ops, patterns);
  const budget = budgetOf(patterns);
  return (event) => {
    const projection = new Projection(event);
    const work = { left: budget };
    for (const op of compiled) op(projection, work);
    return projection.event;
  };
}
