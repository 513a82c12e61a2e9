/**
 * A ledger of something bounded, such as bytes of memory or requests at a time, in fair shares between its owners: none
 * may take more than stays free beside it. One alone may have half, two a third each, and however many take all that
 * they may, there is always some left for the next. Pure.
 */

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
  /** The amount that an owner has. */
  takenBy(owner: string): number;
  /** Whether an owner may take more. */
  mayTake(owner: string, more: number): boolean;
  /** How many units an owner may take, one after the other. */
  roomFor(owner: string): number;
  /** Changes the amount that an owner has without a charge, whatever it may have. */
  add(owner: string, more: number): void;
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
  return new Book(limit, mostOf);
}

interface Account {
  readonly owner: string;
  readonly most: number;
  taken: number;
  charges: number;
}

/** Made once for each bounded thing, and kept as long as the service runs. */
class Book implements Ledger {
  readonly limit: number;
  taken = 0;
  readonly #mostOf: (owner: string) => number;
  /** Owners that have something, or charges. */
  readonly #accounts = new Map<string, Account>();

  constructor(limit: number, mostOf: (owner: string) => number) {
    this.limit = limit;
    this.#mostOf = mostOf;
  }

  takenBy(owner: string): number {
    return this.#accounts.get(owner)?.taken ?? 0;
  }

  mayTake(owner: string, more: number): boolean {
    return this.grants(this.#accounts.get(owner) ?? this.#newAccount(owner), more);
  }

  roomFor(owner: string): number {
    const { taken, most } = this.#accounts.get(owner) ?? this.#newAccount(owner);
    // Each unit that it takes is one more of its own, and one less beside it.
    return Math.max(0, Math.min(most - taken, Math.floor((this.limit - this.taken - taken) / 2)));
  }

  add(owner: string, more: number): void {
    const account = this.#accountOf(owner);
    this.change(account, more);
    this.forget(account);
  }

  open(owner: string): Charge {
    return new AccountCharge(this, this.#accountOf(owner));
  }

  take(owner: string, amount: number): Charge | null {
    const charge = this.open(owner);
    if (charge.set(amount)) return charge;
    charge.close();
    return null;
  }

  grants({ taken, most }: Account, more: number): boolean {
    return taken + more <= most && taken + more <= this.limit - this.taken - more;
  }

  change(account: Account, more: number): void {
    account.taken += more;
    this.taken += more;
  }

  /** Forgets an owner that has nothing left. */
  forget({ owner, taken, charges }: Account): void {
    if (taken === 0 && charges === 0) this.#accounts.delete(owner);
  }

  #accountOf(owner: string): Account {
    const account = this.#accounts.get(owner) ?? this.#newAccount(owner);
    this.#accounts.set(owner, account);
    return account;
  }

  #newAccount(owner: string): Account {
    return { owner, most: this.#mostOf(owner), taken: 0, charges: 0 };
  }
}

/** Created by a ledger for one piece of work, and closed with it. Every request has one, so it is small. */
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
    if (more > 0 && !this.#book.grants(this.#account, more)) return false;
    this.force(amount);
    return true;
  }

  force(amount: number): void {
    if (!this.#isOpen) return;
    this.#book.change(this.#account, amount - this.#amount);
    this.#amount = amount;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.force(0);
    this.#isOpen = false;
    this.#account.charges--;
    this.#book.forget(this.#account);
  }
}
