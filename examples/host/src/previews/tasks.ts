/** The messages between the main thread and one that tries rules. Rules and events travel as texts, however deep. */
import type { Action, DryRunEndpoint, Match, PatternOptions, RuleIssue } from 'headgate';
import type { EventHead } from '../events/event-json.js';
import type { ExplainedRule, RuleAnalysis, EventPaths, TriedTexts } from './routes.js';

/** An event without its project. */
export interface GivenEvent extends EventHead {
  /** The tags that it has by now. Rules do not see them, since they were added when it was decided. */
  readonly tags: readonly string[];
  readonly data: string;
  readonly rawPayload: string | null;
}

/** All rules of a project, as one edit left them. */
export interface GivenRules {
  readonly project: string;
  readonly version: number;
  /** JSON of an array, in evaluation order. */
  readonly text: string;
}

/** A part of a list: rules in evaluation order, from one on. */
export interface PartOfRules {
  readonly rules: GivenRules;
  /** The place after which it begins: priority and id. */
  readonly after: readonly [priority: number, id: string];
  readonly limit: number;
}

/** The rules of a recorded decision. */
export interface MatchedThen {
  readonly ids: readonly string[];
  /** False where more rules matched than the decision has stored. */
  readonly areAll: boolean;
}

/** A task for a thread. */
export type Task =
  | (PartOfRules & {
      readonly kind: 'explain';
      readonly event: GivenEvent;
      /** The rules of the recorded decision; null until there is one. */
      readonly matchedThen: MatchedThen | null;
    })
  | (PartOfRules & { readonly kind: 'analyze' })
  | {
      readonly kind: 'try';
      /** JSON of `{ match, action }`, each of which may be left out. */
      readonly rule: string;
      readonly events: readonly GivenEvent[];
      readonly endpoints: readonly DryRunEndpoint[];
    }
  | {
      readonly kind: 'tryPattern';
      readonly pattern: string;
      readonly replace: string | null;
      readonly texts: readonly string[];
    }
  | { readonly kind: 'paths'; readonly events: readonly GivenEvent[] };

/** A rule to try, as a caller sends it: not valid until it was checked. */
export interface TriedRule {
  readonly match?: Match;
  readonly action?: Action;
}

/** A part of a list of rules, and where the next part begins. */
export interface Part<Item> {
  readonly items: readonly Item[];
  readonly next: readonly [priority: number, id: string] | null;
}

/** The result of each kind of task. */
export interface Results {
  readonly explain: Part<Omit<ExplainedRule, 'changed_since'>> & {
    /** The first rules that match today, and the number of all. */
    readonly matched: readonly string[];
    readonly matchedCount: number;
    readonly droppedBy: string | null;
  };
  readonly analyze: Part<RuleAnalysis>;
  /** JSON of each event's item, which may be deep; those that there was no time for are missing. */
  readonly try: readonly string[];
  readonly tryPattern: TriedTexts;
  readonly paths: EventPaths;
}

/** Given to a thread when it starts. */
export interface ThreadOptions {
  /** The work that rules may do on one event, as deciding has it; left out, the library's. */
  readonly patterns?: PatternOptions;
  /** A task that takes longer ends with the item that it is at, in milliseconds. */
  readonly endAfterMs: number;
}

/** A task on its way to a thread. */
export interface Job {
  readonly task: Task;
  /** One 32-bit integer: 1 once nobody waits for the result any more. */
  readonly cancelled: SharedArrayBuffer;
}

/** A message from a thread. */
export type Told =
  | { readonly told: 'started' }
  | { readonly told: 'result'; readonly result: Results[keyof Results] }
  | { readonly told: 'invalid'; readonly issues: readonly RuleIssue[] }
  | { readonly told: 'failed'; readonly message: string };

/** Tells a task to end early. */
export type IsOver = () => boolean;
