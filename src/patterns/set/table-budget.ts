/** The memory and the work that all pattern sets of a process share. */

/** Bytes that the tables of all sets in a process may hold. */
const MAX_TABLE_BYTES = 1 << 26;

/** An owner of tables that can rebuild them. */
export interface Evictable {
  /** Gives back all bytes that it holds. */
  release(): void;
}

/** Counts table bytes and work. One instance serves the process; tests make their own. */
export class TableBudget {
  /** Bytes of all tables. */
  bytes = 0;
  /** Estimated nanoseconds spent on computing states. Only grows. */
  work = 0;
  readonly #maxBytes: number;
  /** Least recently used first. */
  readonly #owners = new Set<Evictable>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Marks an owner as the most recently used one, which is never evicted. */
  use(owner: Evictable): void {
    this.#owners.delete(owner);
    this.#owners.add(owner);
  }

  /** Whether that many more bytes fit, after evicting the least recently used owners if need be. */
  admits(bytes: number): boolean {
    for (const owner of this.#owners) {
      if (this.bytes + bytes <= this.#maxBytes || this.#owners.size === 1) break;
      this.#owners.delete(owner);
      owner.release();
    }
    return this.bytes + bytes <= this.#maxBytes;
  }
}

/** The budget of the process. */
export const processBudget = new TableBudget(MAX_TABLE_BYTES);
