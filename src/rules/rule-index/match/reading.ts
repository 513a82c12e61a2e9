/** The event at hand as far as it was read: its values, and what was derived from them. */
import { Account, type KnownStructures, type Structures, Subjects } from '../../values/index.js';
import type { EventValues } from './event-values.js';

/** Made for one event, and discarded with it. */
export class Reading {
  /** The values at the paths of the rules. */
  readonly values: EventValues;
  readonly #structures: Structures;
  #known: KnownStructures | null = null;
  #subjects: Subjects | null = null;
  #account: Account | null = null;
  #longest = 0;

  /** @param structures - The structures that rules compare with. */
  constructor(values: EventValues, structures: Structures) {
    this.values = values;
    this.#structures = structures;
  }

  /**
   * UTF-16 units of the longest string that a pattern looks at; 0 if every rule's budget suffices, and infinite if a
   * pattern could not be decided.
   */
  get longest(): number {
    return this.#longest;
  }

  /** Notes the length of a string for which some rule's budget might not suffice. */
  noteLength(units: number): void {
    if (units > this.#longest) this.#longest = units;
  }

  /** Numbers, sizes and tables of values. */
  get subjects(): Subjects {
    return (this.#subjects ??= new Subjects());
  }

  /** An unlimited account, for rules that stay within their budgets on this event. */
  get account(): Account {
    return (this.#account ??= new Account(Infinity, this.subjects));
  }

  /** The number of a structure among those that rules compare with; `UNKNOWN` where it equals none of them. */
  structure(structure: object): number {
    return this.#structures.find(structure, (this.#known ??= new Map<object, number>()));
  }
}
