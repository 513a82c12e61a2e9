/** What all automata hold together, and who makes room. */

/** Bytes that the tables of all sets in a process may hold. */
export const MAX_BYTES = 1 << 25;

/** A holder of tables that can do without them. */
export interface Holder {
  /** Gives back all that it holds. */
  release(): void;
}

/** Accounts of automata. */
export class Ledger {
  /** What tables hold. */
  bytes = 0;
  /** Time that making states took, in nanoseconds or so. */
  work = 0;
  /** Least recently used first. */
  private readonly holders = new Set<Holder>();

  constructor(private readonly most: number) {}

  /** Notes that a holder is in use; it is the last to make room, and never while it runs. */
  use(holder: Holder): void {
    this.holders.delete(holder);
    this.holders.add(holder);
  }

  /** Whether there is room, if need be made by those that are not in use. */
  admits(bytes: number): boolean {
    for (const holder of this.holders) {
      if (this.bytes + bytes <= this.most || this.holders.size === 1) break;
      this.holders.delete(holder);
      holder.release();
    }
    return this.bytes + bytes <= this.most;
  }
}

/** The one ledger of a process. */
export const commonLedger = new Ledger(MAX_BYTES);
