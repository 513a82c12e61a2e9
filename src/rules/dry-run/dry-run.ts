/** The effect that a rule would have had on past events. Reads, counts, writes nothing. */
import { OptionError } from '../../errors.js';
import { Slices } from '../../event-loop.js';
import { isIntegerIn } from '../../integers.js';
import { cloneJson, isObject } from '../../json.js';
import { budgetOf, type PatternOptions } from '../../patterns/index.js';
import { Matching, compileOnce, decide, tagsOf, type Compile } from '../decision.js';
import { assertRuleRuns } from '../engine.js';
import { boundedDiff, type JsonChange } from '../transform/index.js';
import { Intake, isPromise } from './intake.js';
import { type DryRunBucket, Histogram } from './histogram.js';
import { assertListener, type DryRunProgress, ProgressCalls } from './progress.js';
import { compileProgram, runProgram, type Program } from '../match/index.js';
import { Account } from '../values/index.js';
import {
  invalidOption,
  readPatternOptions,
  type RuleOptions,
  assertValid,
  checkRule,
} from '../validate/index.js';
import { canonical } from '../own.js';
import type { Action, EventLike, Leaf, Match, Rule } from '../rule.js';
import { coversTopic, topicOf } from '../../topics.js';
import { show } from '../issues/index.js';

/** The rule to try; it need not have a name yet. */
export interface DryRunRule {
  readonly stage: 'deliver';
  readonly match: Match;
  readonly action: Action;
}

/** The window of events, and the endpoints that exist. */
export interface DryRunOptions extends RuleOptions {
  /** Whole hours, 1..168. */
  readonly windowHours: number;
  /** The end of the window, in Unix milliseconds. @defaultValue the present */
  readonly now?: number;
  /** The endpoints there are; without them every listed id counts as one that would receive the event. */
  readonly endpoints?: readonly DryRunEndpoint[];
  /**
   * Equal parts of the window that `histogram` of the report counts apart, 1..1,000; without it there is no histogram.
   */
  readonly buckets?: number;
  /** Ends the dry-run, at once, and closes the source of events. */
  readonly signal?: AbortSignal;
  /**
   * Whether the dry-run, when the signal aborts, rejects with the signal's reason, or resolves with the report so far,
   * which says `aborted`.
   * @defaultValue `'reject'`
   */
  readonly onAbort?: 'reject' | 'report';
  /**
   * Called with the counts so far: between two turns of the event loop, at most every 100 ms, and a last time with
   * those of the report. If it throws, the dry-run rejects with that error.
   */
  readonly onProgress?: (soFar: DryRunProgress) => void;
}

/** The fields of an endpoint that a dry-run reads. */
export interface DryRunEndpoint {
  /** A UUID, in any case. */
  readonly id: string;
  readonly status: 'active' | 'paused';
  /**
   * The topics that it gets: each a topic, or a prefix with `.*`, such as `invoice.*`.
   * @defaultValue `null`, for all of them
   */
  readonly topics?: readonly string[] | null;
}

/** One event that matched. */
export interface DryRunSample {
  readonly id: string;
  readonly type: string;
  /** Left out if the event has none. */
  readonly topic?: string;
  /** As the rule saw it. */
  readonly data: unknown;
  /** For `transform`: each value that would change. */
  readonly diff?: readonly JsonChange[];
  /** Some values that would change are left out of `diff`: their paths together are too long. */
  readonly diff_truncated?: true;
  /** For `route_only`: those that would receive the event now. */
  readonly endpoint_ids?: readonly string[];
  /** For `tag`: those that would be added. */
  readonly tags?: readonly string[];
}

/** The effect that the rule would have had. */
export interface DryRunReport extends DryRunProgress {
  /** The first 50 events that matched. */
  readonly samples: readonly DryRunSample[];
  /** The window in as many parts as `buckets` says, oldest first. */
  readonly histogram?: readonly DryRunBucket[];
  /** The signal has ended the dry-run: events that it had not read are missing. */
  readonly aborted?: true;
}

const MAX_WINDOW_HOURS = 168;
const MAX_SAMPLES = 50;
/** UTF-16 units of the paths in one diff, each changed value counting 100 besides. */
const MAX_DIFF_UNITS = 1_000_000;
const HOUR_MS = 3_600_000;

/** Work of an event besides that of patterns, as {@link Slices} counts it: less than 20 µs. */
const WORK_OF_EVENT = 2_000;

/** `dryRun` of `headgate`, with no engine but the one in `options`; what needs one is `needs_engine`. */
export async function dryRun(
  rule: DryRunRule,
  events: Iterable<EventLike> | AsyncIterable<EventLike>,
  options: DryRunOptions,
): Promise<DryRunReport> {
  const trial = new Trial(rule, options);
  const signal = readSignal(options);
  const reportsPart = readOnAbort(options) === 'report';
  assertListener(options.onProgress);
  const calls = new ProgressCalls(options.onProgress);
  let aborted = false;
  try {
    await scan(trial, new Intake(events, signal), calls);
  } catch (error) {
    aborted = reportsPart && signal?.aborted === true && Object.is(error, signal.reason);
    if (!aborted) throw error;
  }
  calls.end(trial.progress());
  return aborted ? { ...trial.report(), aborted } : trial.report();
}

/** Takes all events. */
async function scan(trial: Trial, intake: Intake<EventLike>, calls: ProgressCalls): Promise<void> {
  const slices = new Slices();
  try {
    for (;;) {
      const next = intake.next();
      const result = isPromise(next) ? await next : next;
      if (result.done === true) return;
      if (!slices.charge(trial.take(result.value))) continue;
      calls.tell(() => trial.progress());
      await intake.wait(slices.rest());
    }
  } finally {
    await intake.close();
  }
}

/** Names of the options besides those of all functions that compile rules. */
const OPTIONS: readonly (keyof DryRunOptions)[] = [
  ...(['windowHours', 'now', 'endpoints', 'buckets'] as const),
  ...(['signal', 'onAbort', 'onProgress'] as const),
];

/** A rule on its way through past events. */
class Trial {
  readonly #rule: Rule;
  readonly #program: Program;
  readonly #compile: Compile;
  readonly #budget: number;
  readonly #window: Window;
  readonly #histogram: Histogram | null;
  readonly #active: Subscriptions | null;
  readonly #samples: DryRunSample[] = [];
  #matched = 0;
  #scanned = 0;
  #undated = 0;
  #limits = 0;

  constructor(rule: DryRunRule, options: DryRunOptions) {
    const patterns = readPatternOptions('dryRun', options, OPTIONS);
    this.#window = readWindow(options);
    this.#histogram = readHistogram(options, this.#window);
    this.#active = readActive(options);
    this.#rule = readRule(rule);
    assertRuleRuns(this.#rule, patterns);
    this.#program = compileProgram(this.#rule.match, patterns);
    this.#compile = compileOnce(patterns);
    this.#budget = accountOf(patterns);
  }

  /**
   * Takes the next event.
   *
   * @returns The work that it was.
   */
  take(event: EventLike): number {
    const at = receivedAt(event);
    if (Number.isNaN(at)) this.#undated++;
    return WORK_OF_EVENT + (at > this.#window.start && at <= this.#window.end ? this.#scan(event, at) : 0);
  }

  progress(): DryRunProgress {
    return {
      matched: this.#matched,
      scanned: this.#scanned,
      undated: this.#undated,
      limits: this.#limits,
      byAction: this.#matched === 0 ? {} : { [this.#rule.action.type]: this.#matched },
    };
  }

  report(): DryRunReport {
    const report = { ...this.progress(), samples: this.#samples };
    return this.#histogram === null ? report : { ...report, histogram: this.#histogram.buckets() };
  }

  #scan(event: EventLike, at: number): number {
    this.#scanned++;
    const account = new Account(this.#budget);
    const undecided: Leaf[] = [];
    const matches = runProgram(this.#program, event, account, (leaf) => undecided.push(leaf));
    if (undecided.length > 0) this.#limits++;
    this.#histogram?.count(at, matches);
    if (matches) {
      this.#matched++;
      if (this.#samples.length < MAX_SAMPLES) this.#samples.push(this.#sample(event));
    }
    return this.#budget - account.left;
  }

  #sample(event: EventLike): DryRunSample {
    const { id, type, topic, data } = event;
    return { id, type, ...(typeof topic === 'string' && { topic }), data, ...this.#effectOn(event) };
  }

  #effectOn(event: EventLike): Partial<DryRunSample> {
    const { action } = this.#rule;
    const matching = new Matching();
    matching.add(this.#rule);
    matching.act(this.#rule, action);
    const decision = decide(event, matching, this.#compile);
    switch (action.type) {
      case 'drop':
        return {};
      case 'transform':
        return diffOf({ data: event.data }, { data: decision.event.data });
      case 'tag':
        return { tags: decision.tags.slice(new Set(tagsOf(event)).size) };
      case 'route_only': {
        const listed = decision.endpointIds ?? [];
        const topic = topicOf(event);
        return {
          endpoint_ids: listed.filter((id) => this.#active === null || isReceiver(this.#active, id, topic)),
        };
      }
    }
  }
}

/** Unix ms; NaN where the event says nothing that can be read. */
function receivedAt(event: unknown): number {
  const text: unknown = isObject(event) ? event.received_at : undefined;
  return typeof text === 'string' ? Date.parse(text) : NaN;
}

/** A copy of the rule, so that changes made while events are read have no effect. */
function readRule(rule: DryRunRule): Rule {
  const whole: Rule = { id: 'dry-run', name: 'dry-run', priority: 0, ...rule };
  assertValid((issues) => {
    checkRule('rule', whole, issues);
  });
  return canonical({ ...whole, match: cloneJson(whole.match), action: cloneJson(whole.action) });
}

/** In Unix ms; the start is not in it, the end is. */
interface Window {
  readonly start: number;
  readonly end: number;
}

function readWindow({ windowHours, now = Date.now() }: DryRunOptions): Window {
  if (!isIntegerIn(windowHours, 1, MAX_WINDOW_HOURS)) {
    const expected = `a whole number of hours from 1 to ${MAX_WINDOW_HOURS}`;
    throw new OptionError('invalid_window', `windowHours must be ${expected}; it is ${show(windowHours)}`);
  }
  if (!Number.isFinite(now)) {
    throw invalidOption(
      `now must be a time in Unix milliseconds, as Date.now() gives it; it is ${show(now)}`,
    );
  }
  return { start: now - windowHours * HOUR_MS, end: now };
}

const MAX_BUCKETS = 1_000;
/** ECMA-262: a Date is at most 100 million days from 1970. */
const MAX_DATE_MS = 8.64e15;

function readHistogram({ buckets }: DryRunOptions, { start, end }: Window): Histogram | null {
  if (buckets === undefined) return null;
  const areDates = [start, end].every((at) => Math.abs(at) <= MAX_DATE_MS);
  if (!areDates) throw invalidOption('now must be a time that a Date can have, so that buckets have theirs');
  if (isIntegerIn(buckets, 1, MAX_BUCKETS)) return new Histogram(start, end, buckets);
  throw invalidOption(`buckets must be a whole number from 1 to ${MAX_BUCKETS}; it is ${show(buckets)}`);
}

/** The topics of each active endpoint, by its id in lower case. */
type Subscriptions = ReadonlyMap<string, DryRunEndpoint['topics']>;

const isReceiver = (active: Subscriptions, id: string, topic: string): boolean =>
  active.has(id) && coversTopic(active.get(id), topic);

/** Returns `null` if the options do not say which endpoints there are. */
function readActive({ endpoints }: DryRunOptions): Subscriptions | null {
  if (endpoints === undefined) return null;
  if (!Array.isArray(endpoints)) throw invalidOption(`endpoints must be an array; it is ${show(endpoints)}`);
  const active = new Map<string, DryRunEndpoint['topics']>();
  for (const [i, endpoint] of endpoints.entries()) {
    const { id, status, topics } = readEndpoint(endpoint, i);
    if (status === 'active') active.set(id.toLowerCase(), topics);
  }
  return active;
}

function readEndpoint(endpoint: unknown, index: number): DryRunEndpoint {
  const { id, status, topics = null } = isObject(endpoint) ? endpoint : {};
  if (topics !== null && !Array.isArray(topics)) {
    throw invalidOption(`endpoints/${index}/topics must be an array or null; it is ${show(topics)}`);
  }
  if (typeof id === 'string' && (status === 'active' || status === 'paused')) return { id, status, topics };
  const given = isObject(endpoint) ? `its id is ${show(id)}, its status ${show(status)}` : show(endpoint);
  throw invalidOption(
    `endpoints/${index} must be { id, status }, the id text and the status "active" or "paused"; ${given}`,
  );
}

function readSignal({ signal }: DryRunOptions): AbortSignal | undefined {
  const given = signal as Partial<AbortSignal> | null | undefined;
  if (given === undefined || typeof given?.throwIfAborted === 'function') return signal;
  throw invalidOption(`signal must be an AbortSignal, such as controller.signal; it is ${show(signal)}`);
}

function readOnAbort({ onAbort = 'reject' }: DryRunOptions): 'reject' | 'report' {
  const given: unknown = onAbort;
  if (given === 'reject' || given === 'report') return given;
  throw invalidOption(`onAbort must be "reject" or "report"; it is ${show(given)}: give one of these`);
}

/** The work that an account holds at first, finite so that the work done can be computed. */
const accountOf = (patterns: PatternOptions): number => Math.min(budgetOf(patterns), Number.MAX_SAFE_INTEGER);

function diffOf(before: unknown, after: unknown): Pick<DryRunSample, 'diff' | 'diff_truncated'> {
  const { changes, isCut } = boundedDiff(before, after, MAX_DIFF_UNITS);
  return isCut ? { diff: changes, diff_truncated: true } : { diff: changes };
}
