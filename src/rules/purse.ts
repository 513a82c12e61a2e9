/** The work that all rules together may do on one event. */

/**
 * Lends each rule what it may spend, and takes back what is left. Made for the matching, or the transforms, of one
 * event.
 */
export class Purse {
  #left: number;

  /** @param eventBudget - Units of work; infinite for no limit. */
  constructor(eventBudget: number) {
    this.#left = eventBudget;
  }

  /** Whether everything is spent, and more: visits of values are charged when they have happened. */
  get isOverdrawn(): boolean {
    return this.#left < 0;
  }

  /** The work that a rule may do, given a budget of its own. */
  lend(budget: number): number {
    return Math.min(budget, this.#left);
  }

  /** Takes what a rule has spent. */
  spend(units: number): void {
    if (this.#left !== Infinity) this.#left -= units;
  }
}
