/** What a rule would have done to past events. Reads, counts, writes nothing. */
import { OptionError } from '../errors.js';
import { isObject } from '../json.js';
import { Matching, compileOnce, decide, tagsOf, type Compile } from './decision.js';
import { diffJson, type Change } from './diff.js';
import type { RuleOptions } from './options.js';
import type { Action, Event, Match, Rule } from './rule.js';
import { assertValid, checkRule } from './validate.js';

/** What is tried: a rule that need not have a name yet. */
export interface DryRunRule {
  readonly stage: 'deliver';
  readonly match: Match;
  readonly action: Action;
}

/** How far back to look, and what there is to deliver to. */
export interface DryRunOptions extends RuleOptions {
  /** Whole hours, 1..168. */
  readonly windowHours: number;
  /** The end of the window, in Unix milliseconds. @defaultValue the present */
  readonly now?: number;
  /** The endpoints there are; without them every listed id counts as one that would receive the event. */
  readonly endpoints?: readonly { readonly id: string; readonly status: 'active' | 'paused' }[];
}

/** One event that matched. */
export interface DryRunSample {
  readonly id: string;
  readonly type: string;
  /** As the rule saw it. */
  readonly data: unknown;
  /** For `transform`: each place that would change. */
  readonly diff?: readonly Change[];
  /** For `route_only`: those that would receive the event now. */
  readonly endpoint_ids?: readonly string[];
  /** For `tag`: those that would be added. */
  readonly tags?: readonly string[];
}

/** What the rule would have done. */
export interface DryRunReport {
  /** Events in the window that matched. */
  readonly matched: number;
  /** Events in the window. */
  readonly scanned: number;
  /** Matches by type of action; no key where there was none. */
  readonly byAction: { readonly [type: string]: number };
  /** The first 50 events that matched. */
  readonly samples: readonly DryRunSample[];
}

const MAX_WINDOW_HOURS = 168;
const MAX_SAMPLES = 50;
const HOUR_MS = 3_600_000;

/**
 * Tries a rule on the events of a window, `(now − windowHours, now]` by their `received_at`; an event
 * without a readable one is in no window. Events are taken one at a time, so memory does not grow.
 *
 * @param events - Newest first. Read to the end, also past the window: hand in little more than it holds.
 * @throws {@link RuleError} when the rule is invalid, {@link OptionError} `invalid_window` when
 *   `windowHours` is no whole number from 1 to 168.
 * @see docs/rules.md
 */
export async function dryRun(
  rule: DryRunRule,
  events: Iterable<Event> | AsyncIterable<Event>,
  options: DryRunOptions,
): Promise<DryRunReport> {
  const whole: Rule = { id: 'dry-run', name: 'dry-run', priority: 0, ...rule };
  assertValid((issues) => {
    checkRule('rule', whole, issues);
  });
  const inWindow = windowTest(options);
  const compile = compileOnce(options.patterns ?? {});
  const samples: DryRunSample[] = [];
  let scanned = 0;
  let matched = 0;
  for await (const event of events) {
    if (!inWindow(event)) continue;
    scanned++;
    if (!compile(whole).matches(event, [])) continue;
    matched++;
    if (samples.length < MAX_SAMPLES) samples.push(sampleOf(event, whole, compile, options));
  }
  return { matched, scanned, byAction: matched === 0 ? {} : { [rule.action.type]: matched }, samples };
}

function windowTest({ windowHours, now = Date.now() }: DryRunOptions): (event: Event) => boolean {
  if (!Number.isInteger(windowHours) || windowHours < 1 || windowHours > MAX_WINDOW_HOURS) {
    const expected = `a whole number of hours from 1 to ${MAX_WINDOW_HOURS}`;
    throw new OptionError('invalid_window', `windowHours must be ${expected}; it is ${String(windowHours)}`);
  }
  const start = now - windowHours * HOUR_MS;
  return (event) => {
    const receivedAt: unknown = isObject(event) ? event.received_at : undefined;
    const at = typeof receivedAt === 'string' ? Date.parse(receivedAt) : NaN;
    return at > start && at <= now;
  };
}

function sampleOf(event: Event, rule: Rule, compile: Compile, options: DryRunOptions): DryRunSample {
  const { id, type, data } = event;
  return { id, type, data, ...effectOf(event, rule, compile, options) };
}

function effectOf(
  event: Event,
  rule: Rule,
  compile: Compile,
  { endpoints }: DryRunOptions,
): Partial<DryRunSample> {
  const { action } = rule;
  const matching = new Matching();
  matching.add(rule, action);
  const decision = decide(event, matching, compile, []);
  switch (action.type) {
    case 'drop':
      return {};
    case 'transform':
      return { diff: diffJson(event, decision.event) };
    case 'tag':
      return { tags: decision.tags.slice(new Set(tagsOf(event)).size) };
    case 'route_only': {
      const active = new Set(endpoints?.filter(({ status }) => status === 'active').map(({ id }) => id));
      const listed = decision.endpointIds ?? [];
      return { endpoint_ids: endpoints === undefined ? listed : listed.filter((id) => active.has(id)) };
    }
  }
}
