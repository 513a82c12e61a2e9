/** Scenarios and their outcomes. */
import type { Verdict } from './verdict.js';
import type { World } from './world.js';

/** How large it is. */
export interface Size {
  /** Deliveries in all. */
  readonly deliveries: number;
  readonly kills: number;
}

export interface Outcome {
  readonly kills: number;
  readonly verdict: Verdict;
  /** Observations and measurements, each as a sentence. */
  readonly said: readonly string[];
  /** Faults besides those of the verdict, each as a sentence. */
  readonly faults: readonly string[];
}

/** Means that several scenarios share. */
export interface Means {
  /** A Postgres server that stays up, as a connection string. */
  readonly postgres: string;
  /** Whole numbers from 0, below `end`. */
  readonly draw: (end: number) => number;
}

export interface Scenario {
  /** One word or two; unique. */
  readonly name: string;
  /** The failure that is caused, as a phrase. */
  readonly what: string;
  readonly run: (world: World, means: Means) => Promise<Outcome>;
}

/** Sentences for what does not hold. */
export const unless = (holds: boolean, sentence: string): readonly string[] => (holds ? [] : [sentence]);
