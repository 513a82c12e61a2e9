/**
 * A floor for claims: an instant before which no delivery is due. Postgres keeps dead index entries for as long as any
 * transaction may see their rows. While a dump runs, an hour of finished deliveries may be at the lower end of the
 * index, and a claim that began there would step over all of them. A second floor is for the deliveries that are due
 * later, before which the ends of leases lie that were settled.
 *
 * The floors hold for one snapshot of the database. A claim learns what has become visible since then by the
 * transactions that made deliveries pending, and reads from an earlier instant if it must.
 */
import { EARLIEST } from './instants.js';

/**
 * Pending deliveries of processes with an older version of the package may become visible this long after they are due:
 * a settlement of theirs does not name its transaction.
 */
const MARGIN_MS = 1_000;
/** Claims read from the start again after this time, and find deliveries that a person changed by hand. */
const MAX_AGE_MS = 600_000;

/** The key from which a claim reads. */
export interface Floors {
  /** Deliveries that are due now are due after this instant; Unix ms. */
  readonly due: number;
  /** Deliveries that are due later are due after this instant; Unix ms. */
  readonly later: number;
  /** The snapshot for which both hold, as Postgres writes it; null if they hold for every one. */
  readonly seen: string | null;
}

/** The result of reading for one claim. */
export interface Seen {
  /** Time of the claim; Unix ms. */
  readonly at: number;
  /** When the leases of the claim end. Those that other processes give from now on end no earlier; Unix ms. */
  readonly until: number;
  /** The earliest `due_at` of those due now; such a delivery may not have been claimed. Unix ms. */
  readonly earliest?: number | undefined;
  /** The earliest `due_at` of those due later; Unix ms. */
  readonly next?: number | undefined;
  /** The snapshot of the claim. */
  readonly seen: string | null;
}

const FROM_START: Floors = { due: EARLIEST, later: EARLIEST, seen: null };

/** The floors that one store has found. Each claim calls `of` before it reads, and `learn` or `forget` after it. */
export class Floor {
  #floors = FROM_START;
  /** The earliest `due_at` noted since the current claim began. */
  #noted = Infinity;
  #foundAt = 0;

  /**
   * Begins a claim.
   *
   * @param at - Time of the claim; Unix ms.
   */
  of(at: number): Floors {
    const age = at - this.#foundAt;
    if (age < 0 || age >= MAX_AGE_MS) this.forget();
    this.#noted = Infinity;
    return this.#floors;
  }

  /** Called when a claim has read all due deliveries, or the earliest of them. */
  learn({ at, until, earliest = at, next = Infinity, seen }: Seen): void {
    if (seen === null) {
      this.forget();
      return;
    }
    if (this.#floors === FROM_START) this.#foundAt = at;
    const due = Math.min(earliest - 1, this.#noted - 1, at - MARGIN_MS);
    this.#floors = { due, later: Math.min(next, until, this.#noted) - 1, seen };
  }

  /** @param dueAt - When a delivery is due that this store has enqueued, leased or settled; Unix ms. */
  note(dueAt: number): void {
    this.#noted = Math.min(this.#noted, dueAt);
    const { due, later, seen } = this.#floors;
    if (this.#floors === FROM_START) return;
    this.#floors = { due: Math.min(due, dueAt - 1), later: Math.min(later, dueAt - 1), seen };
  }

  /** Makes the next claim read from the start. */
  forget(): void {
    this.#floors = FROM_START;
  }
}
