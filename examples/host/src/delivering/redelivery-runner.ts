/**
 * Runs bulk redeliveries side by side: each goes on at its own pace, a few batches run at once, and projects take turns, so
 * that one whose batches take long holds none of the others back. A batch is one transaction: it locks the redelivery, reads letters from
 * where the last batch ended, sends them again, and moves on. So it does not matter which process runs a batch, or whether
 * two try to; the lease only saves them the trouble. After a crash another process goes on once the lease has ended.
 */
import type { Clock } from 'headgate/delivery';
import type { Database, Transaction } from '../db/index.js';
import { createTurns } from '../ground/turns.js';
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

/** Does the work of redeliveries while it runs. */
export interface RedeliveryRunner {
  start(): void;
  /** Ends the batch under way, and gives the rest to other processes. */
  stop(): Promise<void>;
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

export function createRedeliveryRunner({ db, clock, wake, failed }: RunnerParts): RedeliveryRunner {
  const turns = createTurns(TURNS);
  /** Redeliveries whose lease this process has, with their work. */
  const mine = new Map<string, Promise<void>>();
  /** Ends pauses early when the runner stops. */
  const pauses = new Set<() => void>();
  let isRunning = false;
  let looking: Promise<void> | null = null;
  let isAsked = false;
  let cancelTimer = (): void => undefined;
  let stopListening = (): void => undefined;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        cancel();
        pauses.delete(end);
        resolve();
      };
      const cancel = clock.at(clock.now() + ms, end);
      pauses.add(end);
    });
  /** Runs one batch; returns how often in a row its letters had changed, or null at the end of the redelivery. */
  const batch = async (id: string, changed: number): Promise<number | null> => {
    try {
      const { sent, isOver } = await db.transaction((tx) => runBatch(tx, id, changed, clock.now()));
      if (sent > 0) wake();
      return isOver ? null : 0;
    } catch (error) {
      if (!(error instanceof LettersChanged)) throw error;
      return changed + 1;
    }
  };
  const redeliver = async (id: string, project: string): Promise<void> => {
    for (let changed: number | null = 0; isRunning && changed !== null;) {
      const before: number = changed;
      try {
        changed = await turns.run(project, () => (isRunning ? batch(id, before) : Promise.resolve(before)));
        await pause(PAUSE_MS);
      } catch (error) {
        failed(error);
        await pause(RETRY_MS);
      }
    }
    // One that was not ended stays among those that are given back.
    if (isRunning) mine.delete(id);
  };
  const take = async (): Promise<void> => {
    const at = clock.now();
    const rows = await db.all<{ id: string; project_id: string }>(SELECT_RUNNABLE, [at]);
    for (const { id, project_id } of rows) {
      if (!isRunning || mine.has(id)) continue;
      if ((await db.run(TAKE_REDELIVERY, [id, at, at + LEASE_MS])) === 0) continue;
      mine.set(id, redeliver(id, project_id));
      // There may be more of them than one look reads.
      isAsked = true;
    }
  };
  const look = async (): Promise<void> => {
    while (isRunning && isAsked) {
      isAsked = false;
      await take().catch(async (error: unknown) => {
        failed(error);
        isAsked = true;
        await pause(RETRY_MS);
      });
    }
    looking = null;
  };
  const ask = (): void => {
    isAsked = true;
    if (isRunning) looking ??= look();
  };
  const poll = (): void => {
    cancelTimer = clock.at(clock.now() + POLL_MS, poll);
    ask();
  };
  return {
    start() {
      if (isRunning) return;
      isRunning = true;
      stopListening = db.listen('redeliveries', ask);
      poll();
    },
    async stop() {
      isRunning = false;
      stopListening();
      cancelTimer();
      for (const end of pauses) end();
      await looking;
      await Promise.all(mine.values());
      const ids = [...mine.keys()];
      mine.clear();
      if (ids.length === 0) return;
      await db.run(GIVE_REDELIVERIES_BACK, [JSON.stringify(ids)]).catch(failed);
      await db.notify('redeliveries', '').catch(failed);
    },
  };
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
