/**
 * Runs bulk redeliveries, a batch of each in turn. A batch is one transaction: it locks the redelivery, reads letters from
 * where the last batch ended, sends them again, and moves on. So it does not matter which process runs a batch, or whether
 * two try to; the lease only saves them the trouble. After a crash another process goes on once the lease has ended.
 */
import type { Clock } from 'headgate/delivery';
import type { Database, Transaction } from '../db/index.js';
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

/** What the runner needs. */
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
/** After so many batches whose letters had changed, one letter at a time; after one more, that letter is left alone. */
const MAX_CHANGED = 3;

export function createRedeliveryRunner({ db, clock, wake, failed }: RunnerParts): RedeliveryRunner {
  /** Redeliveries whose lease this process has, and how often in a row their letters had changed. */
  const mine = new Map<string, number>();
  let isRunning = false;
  let isAsked = false;
  let working: Promise<void> | null = null;
  let cancelTimer = (): void => undefined;
  let stopListening = (): void => undefined;

  const take = async (): Promise<void> => {
    const at = clock.now();
    for (const { id } of await db.all<{ id: string }>(SELECT_RUNNABLE, [at])) {
      if (!mine.has(id) && (await db.run(TAKE_REDELIVERY, [id, at, at + LEASE_MS])) > 0) mine.set(id, 0);
    }
  };
  const batch = async (id: string, changed: number): Promise<void> => {
    try {
      const { sent, isOver } = await db.transaction((tx) => runBatch(tx, id, changed, clock.now()));
      if (sent > 0) wake();
      if (isOver) mine.delete(id);
      else mine.set(id, 0);
    } catch (error) {
      if (!(error instanceof LettersChanged)) throw error;
      mine.set(id, changed + 1);
    }
  };
  const work = async (): Promise<void> => {
    while (isRunning && (isAsked || mine.size > 0)) {
      isAsked = false;
      try {
        await take();
        for (const [id, changed] of mine) {
          if (isRunning) await batch(id, changed);
        }
        await pause(PAUSE_MS);
      } catch (error) {
        failed(error);
        isAsked = true;
        await pause(RETRY_MS);
      }
    }
    working = null;
  };
  /** Ends early when the runner stops. */
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.at(clock.now() + ms, resolve);
      endPause = () => {
        cancel();
        resolve();
      };
    });
  let endPause = (): void => undefined;
  const ask = (): void => {
    isAsked = true;
    if (isRunning) working ??= work();
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
      endPause();
      await working;
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
