/**
 * Runs bulk redeliveries side by side: each goes on at its own pace, a few batches run at once, and projects take turns, so
 * that one whose batches take long holds none of the others back. A batch is one transaction: it locks the redelivery, reads letters from
 * where the last batch ended, sends them again, and moves on. So it does not matter which process runs a batch, or whether
 * two try to; the lease only saves them the trouble. After a crash another process goes on once the lease has ended.
 */
import type { Clock } from 'headgate/delivery';
import type { Database, Transaction } from '../db/index.js';
import { createTurns } from '../limits/turns.js';
import { type LetterPlace, scanLetters } from './letter-scan.js';
import type { LetterFilter } from './routes.js';
import { LettersChanged, sendAgain } from './send-again.js';
import {
  END_BATCH,
  GIVE_REDELIVERIES_BACK,
  LOCK_REDELIVERY,
  type RedeliveryRow,
  SELECT_RUNNABLE,
  TAKE_REDELIVERY,
} from './statements.js';

/** Dependencies and callbacks of the runner. */
export interface RunnerParts {
  readonly db: Database;
  readonly clock: Clock;
  /** There are new deliveries. */
  readonly wake: () => void;
  /** Called with errors that nobody else hears of. */
  readonly failed: (error: unknown) => void;
}

const BATCH = 200;
/** Letters that a batch looks at to find as many that meet the filter. */
const SCAN = 2_000;
const LEASE_MS = 15_000;
const POLL_MS = 5_000;
/** Between two batches, so that others get at the database. */
const PAUSE_MS = 5;
const RETRY_MS = 1_000;
/** Batches that run at once. One project has one of them. */
const TURNS = { atOnce: 4, ofProject: 1, waiting: Infinity, allWaiting: Infinity, of: 'redeliveries' };
/** After so many batches whose letters had changed, one letter at a time; after one more, that letter is left alone. */
const MAX_CHANGED = 3;

/** Does the work of redeliveries from `start` to `stop`. Made by `createDelivering`. */
export class RedeliveryRunner {
  readonly #parts: RunnerParts;
  readonly #turns = createTurns(TURNS);
  /** Redeliveries whose lease this process has, with their work. */
  readonly #mine = new Map<string, Promise<void>>();
  /** Each ends a pause. */
  readonly #pauses = new Set<() => void>();
  #isRunning = false;
  #looking: Promise<void> | null = null;
  #isAsked = false;
  #cancelTimer = (): void => undefined;
  #stopListening = (): void => undefined;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#stopListening = this.#parts.db.listen('redeliveries', () => this.#ask());
    this.#poll();
  }

  /** Ends the batch under way, and gives the rest to other processes. */
  async stop(): Promise<void> {
    const { db, failed } = this.#parts;
    this.#isRunning = false;
    this.#stopListening();
    this.#cancelTimer();
    for (const end of this.#pauses) end();
    await this.#looking;
    await Promise.all(this.#mine.values());
    const ids = [...this.#mine.keys()];
    this.#mine.clear();
    if (ids.length === 0) return;
    await db.run(GIVE_REDELIVERIES_BACK, [JSON.stringify(ids)]).catch(failed);
    await db.notify('redeliveries', '').catch(failed);
  }

  #poll(): void {
    const { clock } = this.#parts;
    this.#cancelTimer = clock.at(clock.now() + POLL_MS, () => this.#poll());
    this.#ask();
  }

  #ask(): void {
    this.#isAsked = true;
    if (this.#isRunning) this.#looking ??= this.#look();
  }

  async #look(): Promise<void> {
    while (this.#isRunning && this.#isAsked) {
      this.#isAsked = false;
      await this.#take().catch(async (error: unknown) => {
        this.#parts.failed(error);
        this.#isAsked = true;
        await this.#pause(RETRY_MS);
      });
    }
    this.#looking = null;
  }

  async #take(): Promise<void> {
    const { db, clock } = this.#parts;
    const at = clock.now();
    const rows = await db.all<{ id: string; project_id: string }>(SELECT_RUNNABLE, [at]);
    for (const { id, project_id } of rows) {
      if (!this.#isRunning || this.#mine.has(id)) continue;
      if ((await db.run(TAKE_REDELIVERY, [id, at, at + LEASE_MS])) === 0) continue;
      this.#mine.set(id, this.#redeliver(id, project_id));
      // There may be more of them than one look reads.
      this.#isAsked = true;
    }
  }

  async #redeliver(id: string, project: string): Promise<void> {
    const { db, clock, wake, failed } = this.#parts;
    /** How often in a row the letters of a batch had changed. */
    let changed = 0;
    const batch = async (): Promise<boolean> => {
      if (!this.#isRunning) return false;
      const { sent, isOver } = await db.transaction((tx) => runBatch(tx, id, changed, clock.now()));
      changed = 0;
      if (sent > 0) wake();
      return isOver;
    };
    while (this.#isRunning) {
      try {
        if (await this.#turns.run(project, batch)) break;
        await this.#pause(PAUSE_MS);
      } catch (error) {
        const hasChanged = error instanceof LettersChanged;
        if (hasChanged) changed++;
        else failed(error);
        await this.#pause(hasChanged ? PAUSE_MS : RETRY_MS);
      }
    }
    // One that was not ended stays among those that are given back.
    if (this.#isRunning) this.#mine.delete(id);
  }

  #pause(ms: number): Promise<void> {
    const { clock } = this.#parts;
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#pauses.delete(end);
        resolve();
      };
      const cancel = clock.at(clock.now() + ms, end);
      this.#pauses.add(end);
    });
  }
}

interface BatchEnd {
  /** Deliveries that were made. */
  readonly sent: number;
  readonly isOver: boolean;
}

async function runBatch(tx: Transaction, id: string, changed: number, at: number): Promise<BatchEnd> {
  const row = await tx.get<RedeliveryRow>(LOCK_REDELIVERY, [id, at + LEASE_MS]);
  if (row === undefined) return { sent: 0, isOver: true };
  const place = JSON.parse(row.cursor) as LetterPlace;
  const filter = JSON.parse(row.filter) as LetterFilter;
  const asked = { project: row.project_id, filter, place, except: id };
  const { letters, next } = await scanLetters(tx, asked, changed < MAX_CHANGED ? BATCH : 1, SCAN);
  const isLeftAlone = changed > MAX_CHANGED;
  const sent = isLeftAlone ? [] : await sendAgain(tx, letters, { at, replay: id }, id);
  const [state, endedAt] = next === null ? ['done', at] : [row.state, null];
  await tx.run(END_BATCH, [id, sent.length, JSON.stringify(next ?? place), state, endedAt]);
  if (next === null) await tx.notify('redeliveries', row.project_id);
  return { sent: sent.length, isOver: next === null };
}
