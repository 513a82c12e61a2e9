/** Counts work: in lint, each question about a rule has an account of its own, so that no rule uses up another's. */
import { Account } from '../values/index.js';

/** Units for each UTF-16 unit of a rule. A unit is about ten nanoseconds, the time to compare a few characters. */
const UNITS_OF_SIZE = 16;

/** Units for each question besides. */
const UNITS_OF_QUESTION = 4_000;

/** Units that all rules share; a question may take a sixteenth of those left. */
const COMMON = 32_000_000;
const PART_OF_COMMON = 1 / 16;

/** The budget of one question. Patterns charge it, too. */
export class Effort extends Account {
  readonly #budget: number;
  #fellShort = false;
  #ranOut = false;

  constructor(budget: number) {
    super(budget);
    this.#budget = budget;
  }

  /** Units spent. */
  get spent(): number {
    return this.#budget - this.left;
  }

  /** Whether something was skipped for lack of units. */
  get ranOut(): boolean {
    return this.#ranOut;
  }

  /** Whether something was skipped, so that the answer may be incomplete. */
  get fellShort(): boolean {
    return this.#fellShort;
  }

  /** Spends units, if this many are left. */
  affords(units: number): boolean {
    if (units > this.left) {
      this.#ranOut = true;
      return this.giveUp();
    }
    this.left -= units;
    return true;
  }

  /** Spends units on finished work; false, and noted, when they were more than were left. */
  spends(units: number): boolean {
    this.left -= units;
    return this.left >= 0 || this.giveUp();
  }

  /** Notes that something is skipped. */
  giveUp(): false {
    this.#fellShort = true;
    return false;
  }
}

/** Shares out the work of one call. */
export class Efforts {
  #common = COMMON;

  /**
   * Asks a question about a rule.
   *
   * @param size - That of the rule.
   */
  spend<Answer>(size: number, ask: (effort: Effort) => Answer): Answer {
    const own = UNITS_OF_QUESTION + UNITS_OF_SIZE * size;
    const share = own + this.#common * PART_OF_COMMON;
    const effort = new Effort(share);
    const answer = ask(effort);
    this.#common -= Math.max(0, share - effort.left - own);
    return answer;
  }
}
