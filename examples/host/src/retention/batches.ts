/** Runs the batches of a sweep under a lease, with pauses between them. */
import { randomUUID } from 'node:crypto';
import type { Clock } from 'headgate/delivery';
import type { Database, Sql, Value } from '../db/index.js';
import { KEEP_LEASE, TAKE_LEASE } from './statements.js';

const LEASE_MS = 60_000;
/** Pauses are as long as the transaction before, and at least this. */
const MIN_PAUSE_MS = 10;

/** One process's hold of a lease, and its batches; made with what sweeps, and used for every sweep. */
export class Batches {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #lease: string;
  readonly #holder = randomUUID();
  #isStopping = false;
  #endPause = (): void => undefined;

  /** @param lease - The name of the lease: one process at a time has it. */
  constructor(db: Database, clock: Clock, lease: string) {
    this.#db = db;
    this.#clock = clock;
    this.#lease = lease;
  }

  /** Allows sweeps again after {@link stop}. */
  start(): void {
    this.#isStopping = false;
  }

  /** Ends the sweep after the batch under way. */
  stop(): void {
    this.#isStopping = true;
    this.#endPause();
  }

  /** Returns false if a process already has the lease. */
  async takeLease(): Promise<boolean> {
    const at = this.#clock.now();
    const values = [this.#lease, this.#holder, at + LEASE_MS, at];
    return !this.#isStopping && (await this.#db.run(TAKE_LEASE, values)) > 0;
  }

  /** Makes the lease end this long from now; returns false if it is gone. */
  async keepLease(ms = LEASE_MS): Promise<boolean> {
    const values = [this.#lease, this.#holder, this.#clock.now() + ms];
    return !this.#isStopping && (await this.#db.run(KEEP_LEASE, values)) > 0;
  }

  /**
   * Runs one batch after another, until one finds nothing or the lease is gone.
   *
   * @param batch - Returns the number of rows that it deleted; null when it found nothing.
   * @returns The sum of those numbers.
   */
  async run(batch: () => Promise<number | null>): Promise<number> {
    for (let sum = 0; ;) {
      if (!(await this.keepLease())) return sum;
      const began = this.#clock.now();
      const count = await batch();
      if (count === null) return sum;
      sum += count;
      await this.#pause(Math.max(this.#clock.now() - began, MIN_PAUSE_MS));
    }
  }

  /** Runs a statement until it changes nothing; returns how many rows it changed. */
  runStatement(statement: Sql, values: readonly Value[]): Promise<number> {
    return this.run(async () => {
      const count = await this.#db.run(statement, values);
      return count === 0 ? null : count;
    });
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.at(this.#clock.now() + ms, resolve);
      this.#endPause = () => {
        cancel();
        resolve();
      };
    });
  }
}
