/**
 * Runs bulk actions side by side: each goes on at its own pace, a few batches run at once, and projects take turns, so
 * that one whose batches take long does not delay the others. A batch is planned from the point at which the last one
 * ended, and written in one transaction, which locks the action, checks that its cursor is still there, and moves it
 * on. So it does not matter which process runs a batch, or whether two try to; the lease only saves them the trouble.
 * After a crash another process goes on once the lease has ended.
 */
import type { Clock } from 'headgate/delivery';
import type { Database, Transaction } from '../../db/index.js';
import { Problem } from '../../errors/problem.js';
import { createTurns } from '../../limits/turns.js';
import * as sql from './statements.js';

/** The result of a batch. */
export interface BatchEnd {
  /** Letters that were redelivered, or events that were replayed. */
  readonly sent: number;
  /** Events that were looked at, and those of them that could not be replayed. */
  readonly scanned?: number;
  readonly skipped?: number;
  /** Deliveries that were made. */
  readonly deliveries: number;
  /** JSON of the cursor at which the next batch begins; null if this was the last one. */
  readonly next: string | null;
}

/** The next step of an action. */
export interface Step {
  /** Writes the batch; null if it is not the time for one. */
  readonly write: ((tx: Transaction, at: number) => Promise<BatchEnd>) | null;
  /** Before the next step. */
  readonly pauseMs: number;
}

/**
 * Plans the next step of an action; reads alone.
 *
 * @param refused - How often in a row a batch from this cursor has thrown {@link BatchRefused}.
 */
export type PlanStep = (action: sql.BulkRow, refused: number) => Promise<Step>;

/** A batch cannot be written as it was planned: it is planned again. */
export class BatchRefused extends Error {
  override readonly name: string = 'BatchRefused';
}

/** Dependencies and callbacks of the runner. */
export interface RunnerParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly plans: Readonly<Record<sql.BulkRow['kind'], PlanStep>>;
  /** There are new deliveries. */
  readonly wake: () => void;
  /** Called with errors that nobody else hears of. */
  readonly failed: (error: unknown) => void;
}

const LEASE_MS = 15_000;
const POLL_MS = 5_000;
/** Between two batches, so that others get at the database. */
export const PAUSE_MS = 5;
const RETRY_MS = 1_000;
/** Batches that run at once. One project has one of them. */
const TURNS = { atOnce: 4, ofProject: 1, waiting: Infinity, allWaiting: Infinity, of: 'bulk actions' };
const OVER = Symbol('over');

/** Does the work of bulk actions from `start` to `stop`. Created by `createDelivering`. */
export class BulkRunner {
  readonly #parts: RunnerParts;
  readonly #turns = createTurns(TURNS);
  /** Actions whose lease this process has, with their work. */
  readonly #mine = new Map<string, Promise<void>>();
  /** Each ends a pause. */
  readonly #pauses = new Set<() => void>();
  #isRunning = false;
  #looking: Promise<void> | null = null;
  #isAsked = false;
  #cancelTimer = (): void => undefined;
  #stopListening = (): void => undefined;
  /** Rejects when the runner stops: a plan under way is given up. */
  #stopped: { readonly promise: Promise<never>; readonly reject: (error: unknown) => void } = rejectable();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#stopped = rejectable();
    this.#stopListening = this.#parts.db.listen('bulk', () => this.#ask());
    this.#poll();
  }

  /** Ends the batch under way, and gives the rest to other processes. */
  async stop(): Promise<void> {
    const { db, failed } = this.#parts;
    this.#isRunning = false;
    this.#stopListening();
    this.#cancelTimer();
    this.#stopped.reject(new Error('the runner stops'));
    for (const end of this.#pauses) end();
    await this.#looking;
    await Promise.all(this.#mine.values());
    const ids = [...this.#mine.keys()];
    this.#mine.clear();
    if (ids.length === 0) return;
    await db.run(sql.GIVE_ACTIONS_BACK, [JSON.stringify(ids)]).catch(failed);
    await db.notify('bulk', '').catch(failed);
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
    const rows = await db.all<{ id: string; project_id: string }>(sql.SELECT_RUNNABLE, [at]);
    for (const { id, project_id } of rows) {
      if (!this.#isRunning || this.#mine.has(id)) continue;
      if ((await db.run(sql.TAKE_ACTION, [id, at, at + LEASE_MS])) === 0) continue;
      this.#mine.set(id, this.#work(id, project_id));
      // There may be more of them than one look reads.
      this.#isAsked = true;
    }
  }

  async #work(id: string, project: string): Promise<void> {
    let refused = 0;
    const step = () => this.#step(id, refused);
    while (this.#isRunning) {
      try {
        const pauseMs = await this.#turns.run(project, step);
        if (pauseMs === OVER) break;
        refused = 0;
        await this.#pause(pauseMs);
      } catch (error) {
        const isRefused = error instanceof BatchRefused;
        if (isRefused) refused++;
        // A problem says that too much else is going on.
        else if (this.#isRunning && !(error instanceof Problem)) this.#parts.failed(error);
        await this.#pause(isRefused ? PAUSE_MS : RETRY_MS);
      }
    }
    // One that was not ended stays among those that are given back.
    if (this.#isRunning) this.#mine.delete(id);
  }

  /** Takes one step of an action. Returns the pause after it, or that the action is over. */
  async #step(id: string, refused: number): Promise<number | typeof OVER> {
    const { db, clock, plans, wake } = this.#parts;
    if (!this.#isRunning) return 0;
    const action = await db.get<sql.BulkRow>(sql.SELECT_RUNNING, [id]);
    if (action === undefined) return OVER;
    const { write, pauseMs } = await Promise.race([
      plans[action.kind](action, refused),
      this.#stopped.promise,
    ]);
    if (write === null) {
      const at = clock.now();
      const isSoon = action.lease_until < at + LEASE_MS / 2;
      if (isSoon) await db.run(sql.KEEP_ACTION, [id, at + LEASE_MS]);
      return pauseMs;
    }
    const end = await db.transaction((tx) => writeBatch(tx, action, write, clock.now()));
    if (end !== null && end.deliveries > 0) wake();
    return end?.next === null ? OVER : pauseMs;
  }

  #pause(ms: number): Promise<void> {
    const { clock } = this.#parts;
    if (!this.#isRunning) return Promise.resolve();
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

/** Writes a batch, and moves the action on; null if another process has done so before. */
async function writeBatch(
  tx: Transaction,
  { id, cursor, project_id: project }: sql.BulkRow,
  write: NonNullable<Step['write']>,
  at: number,
): Promise<BatchEnd | null> {
  const locked = await tx.get<sql.BulkRow>(sql.KEEP_ACTION, [id, at + LEASE_MS]);
  if (locked?.cursor !== cursor) return null;
  const end = await write(tx, at);
  const { sent, scanned = 0, skipped = 0, deliveries, next } = end;
  const isOver = next === null ? 1 : 0;
  await tx.run(sql.END_BATCH, [id, sent, scanned, skipped, deliveries, next ?? cursor, isOver, at]);
  if (next === null) await tx.notify('bulk', project);
  return end;
}

/** A promise that somebody rejects, or nobody. */
function rejectable() {
  let reject = (_: unknown): void => undefined;
  const promise = new Promise<never>((_, refuse) => (reject = refuse));
  promise.catch(() => undefined);
  return { promise, reject };
}
