/** Match trees and transforms on their own, without a rule around them. */
import { cloneJson } from '../json.js';
import { budgetOf } from '../patterns/index.js';
import { Account, compileProgram, runProgram, type Step, readerOf } from './match/index.js';
import { readPatternOptions, type RuleOptions, assertMatch, assertOps } from './validate/index.js';
import { Projection, compileOps } from './transform/index.js';
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
  const program = compileProgram(cloneJson(match), patterns);
  const budget = budgetOf(patterns);
  const [step, ...more] = program;
  if (step !== undefined && more.length === 0) return aloneWith(step, budget);
  return (event) => runProgram(program, event, new Account(budget));
}

/** A leaf needs no program around it. */
function aloneWith({ path, test, ifAbsent }: Step, budget: number): (event: unknown) => boolean {
  const read = readerOf(path);
  return (event) => {
    const subject = read(event);
    return subject === undefined ? ifAbsent : test(subject, new Account(budget)) === true;
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
