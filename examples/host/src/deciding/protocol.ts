/** The messages between the main thread and a thread that evaluates. Events and rules travel as texts, however deep. */
import type { PersistedEvent } from '../stored/event-json.js';
import type { PlainDecision } from './decision.js';

/** Events of one project. */
export interface Group {
  readonly project: string;
  readonly version: number;
  /** The JSON text of all rules; null if the thread has this version. */
  readonly rules: string | null;
  readonly events: readonly Omit<PersistedEvent, 'project'>[];
}

/** The rules of a project at one version. */
export interface RulesText {
  readonly version: number;
  /** JSON text of all rules. */
  readonly text: string;
}

/** A group before it is sent. The rules are sent along if the thread does not have them. */
export interface GroupWithRules extends Group {
  readonly rules: string;
  readonly events: readonly PersistedEvent[];
}

/** Some groups, evaluated in order and answered at once. */
export interface Job {
  /** Projects whose rules the thread lets go of first. */
  readonly forget: readonly string[];
  readonly groups: readonly Group[];
}

/** The result for one event: a decision, or the reason why it has none. */
export interface Evaluation {
  readonly decision: PlainDecision | null;
  readonly error: string | null;
  /** Duration. */
  readonly ms: number;
}

/** The evaluations of each group; or, where its rules could not be compiled, why not. */
export type GroupAnswer = readonly Evaluation[] | { readonly error: string };

/** The answer to a job, group by group. */
export type JobAnswer = readonly GroupAnswer[];
