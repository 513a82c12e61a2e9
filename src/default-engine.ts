/** The functions that compile patterns, with re2js where the host names no other engine. */
import { isObject } from './json.js';
import type { PatternOptions } from './patterns/index.js';
import { re2js } from './patterns/re2js/index.js';
import * as bare from './rules/index.js';
import type {
  DryRunOptions,
  DryRunReport,
  DryRunRule,
  EventLike,
  FoundEvent,
  LintWarning,
  Match,
  MatchTrace,
  ProofOptions,
  Rule,
  RuleComparison,
  RuleOptions,
  RuleSet,
  TransformOp,
} from './rules/index.js';

/**
 * Options with re2js if they name no engine. Anything but an object is returned unchanged, for the reader to refuse.
 */
export function withRe2js<O extends RuleOptions>(options: O): O {
  const patterns: unknown = (options as O | null)?.patterns === undefined ? {} : options.patterns;
  const isRefused = !isObject(options) || !isObject(patterns);
  if (isRefused || (patterns as PatternOptions).engine !== undefined) return options;
  return { ...options, patterns: { ...(patterns as PatternOptions), engine: re2js } };
}

/**
 * Compiles a match tree of any depth to a predicate that never throws on a JSON event. Changing the tree afterwards
 * has no effect.
 *
 * @example
 * ```ts
 * import { compileMatch } from 'headgate';
 *
 * const isLarge = compileMatch({ path: 'data.amount', op: 'gte', value: 10_000 });
 * console.log(isLarge({ id: 'evt_1', type: 'payment', data: { amount: 12_500 } })); // true
 * ```
 * @returns Whether an event matches. A leaf whose pattern met its work budget counts as false; only
 *   {@link explainMatch} and a rule set report it.
 * @throws {@link RuleError} with every problem of the tree.
 * @throws {@link OptionError} `invalid_option`
 */
export function compileMatch(match: Match, options: RuleOptions = {}): (event: unknown) => boolean {
  return bare.compileMatch(match, withRe2js(options));
}

/**
 * Compiles the ops of a transform to a function from event to event. The event passed in stays as it
 * is; what does not change is shared with it, and if nothing does, it is returned itself.
 *
 * @example
 * ```ts
 * import { compileTransform } from 'headgate';
 *
 * const hide = compileTransform([{ op: 'redact', path: 'data.card', regex: '\\d{12}', replace: '****' }]);
 * const event = { id: 'evt_1', type: 'payment', data: { card: '4242424242424242' } };
 * console.log(hide(event).data.card); // ****4242
 * ```
 * @throws {@link RuleError} with every problem of the ops.
 * @throws {@link OptionError} `invalid_option`
 */
export function compileTransform(
  ops: readonly TransformOp[],
  options: RuleOptions = {},
): <E extends EventLike>(event: E) => E {
  return bare.compileTransform(ops, withRe2js(options));
}

/**
 * Explains a match tree on an event. Leaves are tried in document order and only as far as
 * {@link compileMatch} would; the others are `not_reached`.
 *
 * @example
 * ```ts
 * import { explainMatch } from 'headgate';
 *
 * const match = { any: [{ path: 'type', op: 'eq', value: 'ping' }, { path: 'data.test', op: 'exists' }] } as const;
 * const { matched, leaves } = explainMatch(match, { id: 'evt_1', type: 'ping', data: {} });
 * console.log(matched, leaves.map(({ result }) => result)); // true [ 'held', 'not_reached' ]
 * ```
 * @throws {@link RuleError} when the tree is invalid.
 * @throws {@link OptionError} `invalid_option`
 */
export function explainMatch(match: Match, event: unknown, options: RuleOptions = {}): MatchTrace {
  return bare.explainMatch(match, event, withRe2js(options));
}

/**
 * Validates, orders and indexes rules. They are kept, not copied, and frozen, so that nothing changes them while they
 * are in service: to change one, hand another object to {@link RuleSet.update}.
 *
 * @example
 * ```ts
 * import { compileRules } from 'headgate';
 *
 * const refunds = {
 *   id: '1',
 *   name: 'Refunds are urgent',
 *   stage: 'deliver',
 *   match: { path: 'type', op: 'starts_with', value: 'charge.refund' },
 *   action: { type: 'tag', tags: ['urgent'] },
 *   priority: 10,
 * } as const;
 * const rules = compileRules([refunds]);
 * const { outcome, tags } = rules.evaluate({ id: 'evt_1', type: 'charge.refunded', data: {} });
 * console.log(outcome, tags); // deliver [ 'urgent' ]
 * ```
 * @throws {@link RuleError} with every problem of every rule, each naming the rule.
 * @throws {@link OptionError} `invalid_option`
 */
export function compileRules(rules: readonly Rule[], options: RuleOptions = {}): RuleSet {
  return bare.compileRules(rules, withRe2js(options));
}

/**
 * Finds rules that can never match, never apply because a drop runs first, drop everything or are tried on every event,
 * and guesses at paths and patterns of other languages (`odd_path`, `odd_pattern`). Every other warning is sure, as
 * long as events are JSON and no pattern of a drop meets its work budget. A missing warning proves nothing.
 *
 * Takes time in proportion to the size of the rules. A rule that would take more is `not_checked`; the others are
 * checked.
 *
 * @example
 * ```ts
 * import { lintRules, type Rule } from 'headgate';
 *
 * const never: Rule = {
 *   id: '1',
 *   name: 'Nothing is above 5 and below 3',
 *   stage: 'deliver',
 *   match: { all: [{ path: 'data.n', op: 'gt', value: 5 }, { path: 'data.n', op: 'lt', value: 3 }] },
 *   action: { type: 'drop' },
 *   priority: 1,
 * };
 * console.log(lintRules([never]).map(({ code }) => code)); // [ 'never_matches' ]
 * ```
 * @returns Warnings in evaluation order. Of a disabled rule, only `never_matches` and guesses.
 * @throws {@link RuleError} with every problem of every rule, if any rule is invalid.
 * @see docs/rules.md
 */
export function lintRules(rules: readonly Rule[], options: RuleOptions = {}): readonly LintWarning[] {
  return bare.lintRules(rules, withRe2js(options));
}

/**
 * Finds an event that a match tree matches, or proves that no event can. An event is a JSON object with the members of
 * {@link EventLike}, of their types. No answer is wrong: an event that is found has been tried, and `impossible` is a
 * proof for all events, unless a pattern meets its work budget. Work is bounded; a question that takes more is
 * `unknown`.
 *
 * @example
 * ```ts
 * import { findEvent } from 'headgate';
 *
 * const large = { path: 'data.amount', op: 'gt', value: 100 } as const;
 * const found = findEvent({ all: [large, { path: 'data.note', op: 'missing' }] });
 * if (found.answer === 'found') console.log(found.event.data); // { amount: 101 }
 *
 * const isB = { path: 'type', op: 'eq', value: 'b' } as const;
 * const none = findEvent({ all: [{ path: 'type', op: 'starts_with', value: 'a' }, isB] });
 * if (none.answer === 'impossible') console.log(none.leaves); // [ '/all/0', '/all/1' ]
 * ```
 * @throws {@link RuleError} when the tree is invalid.
 * @throws {@link OptionError} `invalid_option`
 * @see docs/rules.md
 */
export function findEvent(match: Match, options: ProofOptions = {}): FoundEvent {
  return bare.findEvent(match, withRe2js(options));
}

/**
 * Compares two sets of rules on all events: finds one that they decide differently, as small and plain as possible, or
 * proves that no such event exists. "Differently" means another `outcome`, other `tags`, other `endpointIds` or other
 * `data`, whichever rules caused it. No answer is wrong: an event has been decided by both, and `same` is a proof for
 * all events, unless a pattern or an op meets its work budget. Work is bounded; a question that takes more is
 * `unknown`.
 *
 * @example
 * ```ts
 * import { compareRules, type Rule } from 'headgate';
 *
 * const drop: Rule = {
 *   id: '1',
 *   name: 'Drop small payments',
 *   stage: 'deliver',
 *   match: { all: [{ path: 'type', op: 'eq', value: 'payment' }, { path: 'data.amount', op: 'lt', value: 100 }] },
 *   action: { type: 'drop' },
 *   priority: 1,
 * };
 * const edited: Rule = {
 *   ...drop,
 *   match: { all: [{ path: 'type', op: 'eq', value: 'payment' }, { path: 'data.amount', op: 'lte', value: 100 }] },
 * };
 * const comparison = compareRules([drop], [edited]);
 * if (comparison.answer === 'differs') {
 *   const { event, before, after, cause } = comparison;
 *   console.log(event.data, before.outcome, after.outcome, cause.pointer); // { amount: 100 } deliver drop /match/all/1
 * }
 * ```
 * @throws {@link RuleError} with every problem of every rule, if any rule is invalid.
 * @throws {@link OptionError} `invalid_option`
 * @see docs/rules.md
 */
export function compareRules(
  before: readonly Rule[],
  after: readonly Rule[],
  options: ProofOptions = {},
): RuleComparison {
  return bare.compareRules(before, after, withRe2js(options));
}

/**
 * Tries a rule on the events of a window, `(now − windowHours, now]` by their `received_at`. Events are taken one at a
 * time, so memory does not grow; after 8 ms, or the first event that takes longer, the event loop runs before the next
 * one.
 *
 * @example
 * ```ts
 * import { dryRun, type Event, type Rule } from 'headgate';
 *
 * const drop: Pick<Rule, 'stage' | 'match' | 'action'> = {
 *   stage: 'deliver',
 *   match: { path: 'data.test', op: 'eq', value: true },
 *   action: { type: 'drop' },
 * };
 * const past: Event[] = [{ id: 'evt_1', type: 'ping', data: { test: true }, received_at: '2026-01-01T00:00:00Z' }];
 * const report = await dryRun(drop, past, { windowHours: 24, now: Date.parse('2026-01-01T12:00:00Z') });
 * console.log(report.matched, report.scanned); // 1 1
 * ```
 * @param events - Newest first. Read to the end, also past the window: hand in little more than it holds.
 * @throws {@link RuleError} when the rule is invalid, {@link OptionError} `invalid_window` when `windowHours` is not a
 *   whole number from 1 to 168, `invalid_option` when any other option cannot work; the reason of `signal` when that
 *   aborts, unless `onAbort` is `'report'`; what `onProgress` throws.
 * @see docs/rules.md
 */
export function dryRun(
  rule: DryRunRule,
  events: Iterable<EventLike> | AsyncIterable<EventLike>,
  options: DryRunOptions,
): Promise<DryRunReport> {
  return bare.dryRun(rule, events, withRe2js(options));
}
