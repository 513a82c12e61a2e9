/** Rules and events on their way to the thread that tries them: as texts, however deep. */
import type { PersistedEvent } from '../stored/event-json.js';

/** An event as it was persisted, and its tags of today. */
export interface GivenEvent extends Omit<PersistedEvent, 'project'> {
  /** The tags that it has by now. Rules do not see them, since they were added when it was decided. */
  readonly tags: readonly string[];
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
  /** The sort key after which it begins: priority and id. */
  readonly after: readonly [priority: number, id: string];
  readonly limit: number;
}

/** A part of a list of rules, and where the next part begins. */
export interface Part<Item> {
  readonly items: readonly Item[];
  readonly next: readonly [priority: number, id: string] | null;
}

/** True once a job is to end with what it has. */
export type IsOver = () => boolean;
