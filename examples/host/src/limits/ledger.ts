/** A ledger of something bounded, such as bytes of memory or requests at a time, in fair shares between its owners. */
import { mayTake } from './fair-share.js';

/** The amount that one piece of work has taken. */
export interface Charge {
  readonly amount: number;
  /**
   * Changes the amount. A smaller one is always granted.
   *
   * @returns False if the owner may not have that much; then the amount stays as it was.
   */
  set(amount: number): boolean;
  /** Changes the amount whatever the owner may have: for bytes that exist already and have to be kept. */
  force(amount: number): void;
  /** Gives everything back. A second call does nothing. */
  close(): void;
}

/** Counts what is taken; mutable. */
export interface Ledger {
  /** The amount that there is in all. */
  readonly limit: number;
  /** The amount that all charges have together. */
  readonly taken: number;
  /** A charge of nothing yet. */
  open(owner: string): Charge;
  /** A charge of an amount; null if the owner may not have it. */
  take(owner: string, amount: number): Charge | null;
}

/**
 * An empty ledger.
 *
 * @param mostOf - The most that an owner may have, however much is free. Half of the limit is the most in any case.
 */
export function createLedger(limit: number, mostOf: (owner: string) => number = () => limit): Ledger {
  const book: Book = { limit, taken: 0, accounts: new Map() };
  const open = (owner: string): Charge => {
    const account = book.accounts.get(owner) ?? { owner, most: mostOf(owner), taken: 0, charges: 0 };
    book.accounts.set(owner, account);
    return new AccountCharge(book, account);
  };
  return {
    limit,
    get taken() {
      return book.taken;
    },
    open,
    take(owner, amount) {
      const charge = open(owner);
      if (charge.set(amount)) return charge;
      charge.close();
      return null;
    },
  };
}

interface Book {
  readonly limit: number;
  /** Owners that have charges. */
  readonly accounts: Map<string, Account>;
  taken: number;
}

interface Account {
  readonly owner: string;
  readonly most: number;
  taken: number;
  charges: number;
}

/** Made by a ledger for one piece of work, and closed with it. Every request has one, so it is small. */
class AccountCharge implements Charge {
  readonly #book: Book;
  readonly #account: Account;
  #amount = 0;
  #isOpen = true;

  constructor(book: Book, account: Account) {
    this.#book = book;
    this.#account = account;
    account.charges++;
  }

  get amount(): number {
    return this.#amount;
  }

  set(amount: number): boolean {
    const more = amount - this.#amount;
    const { taken: own, most } = this.#account;
    const { taken, limit } = this.#book;
    if (more > 0 && (own + more > most || !mayTake(own, more, taken, limit))) return false;
    this.force(amount);
    return true;
  }

  force(amount: number): void {
    if (!this.#isOpen) return;
    this.#account.taken += amount - this.#amount;
    this.#book.taken += amount - this.#amount;
    this.#amount = amount;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.force(0);
    this.#isOpen = false;
    this.#account.charges--;
    if (this.#account.charges === 0) this.#book.accounts.delete(this.#account.owner);
  }
}
