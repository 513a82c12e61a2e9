/**
 * Counts the matches of rules. A decision only notes the rules that matched; here the notes of some seconds are added
 * up, so that the row of a rule is written once for many events, and no decision waits for thousands of such rows.
 */
import { type Database, DatabaseUnavailable, type Row, type Transaction } from '../db/index.js';
import { matchesOf } from './noted.js';
import {
  ADD_TO_COUNTS,
  ADD_TO_MINUTES,
  type BucketRow,
  NEXT_BUCKET,
  type NotedRow,
  SELECT_RULES,
  TAKE_NOTED,
} from './statements.js';

/** Dependencies of the counter. */
export interface CounterParts {
  readonly db: Database;
  /** Called with errors that nobody else hears of, for the log. */
  readonly report: (error: unknown, about: string) => void;
}

/** Adds the matches up every few seconds. Any number of processes may do so at once: each note is counted once. */
export interface Counter {
  start(): void;
  /** Counts all matches that are noted; resolves when they can be read. */
  count(): Promise<void>;
  stop(): Promise<void>;
}

const EVERY_MS = 2_000;
/** Counting may take about this part of the time; then more matches are added up at once. */
const SHARE = 0.1;
const LONGEST_MS = 30_000;

export function createCounter({ db, report }: CounterParts): Counter {
  let timer: NodeJS.Timeout | null = null;
  let current: Promise<void> = Promise.resolve();
  let isStopped = false;

  const count = async (): Promise<void> => {
    let last: BucketRow = { project_id: '', bucket: -1 };
    while (!isStopped) {
      const next = await db.get<BucketRow>(NEXT_BUCKET, [last.project_id, last.bucket]);
      if (next === undefined) return;
      const taken = await db.transaction((tx) => countBucket(tx, next));
      if (taken < NOTES_AT_ONCE) last = next;
    }
  };
  const next = (wait: number): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      const began = performance.now();
      current = count().catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailable)) report(error, 'counting matches');
      });
      void current.then(() => {
        const took = performance.now() - began;
        next(Math.min(Math.max(EVERY_MS, took / SHARE), LONGEST_MS));
      });
    }, wait);
    timer.unref();
  };
  return {
    start: () => next(EVERY_MS),
    count,
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await current;
    },
  };
}

/** Notes of one transaction. */
const NOTES_AT_ONCE = 100;
const MINUTE_MS = 60_000;

/** The matches of a rule in the notes. */
interface Counted {
  matched: number;
  lastAt: number;
  readonly minutes: Map<number, number>;
}

/** Takes notes of a bucket and adds them to the counts of their rules; returns the number of notes. */
async function countBucket(tx: Transaction, { project_id: project, bucket }: BucketRow): Promise<number> {
  const notes = await tx.all<NotedRow>(TAKE_NOTED, [project, bucket, NOTES_AT_ONCE]);
  const counts = countsIn(notes);
  const ids = await tx.all<{ id: string }>(SELECT_RULES, [JSON.stringify([...counts.keys()])]);
  // Processes write the rows in one order, so that they do not lock crosswise.
  const kept = ids.map(({ id }) => id).sort((a, b) => (a < b ? -1 : 1));
  const rows = kept.map((id) => [id, counts.get(id) as Counted] as const);
  await tx.insert(
    'rule_counts',
    rows.map(([rule_id, { matched, lastAt }]) => ({
      ...{ rule_id, project_id: project, matched, last_matched_at: lastAt },
    })),
    ADD_TO_COUNTS,
  );
  const minutes = rows.flatMap(([rule_id, one]): Row[] =>
    [...one.minutes].map(([minute, matched]) => ({ rule_id, minute, matched })),
  );
  await tx.insert('rule_minutes', minutes, ADD_TO_MINUTES);
  return notes.length;
}

function countsIn(notes: readonly NotedRow[]): ReadonlyMap<string, Counted> {
  const counts = new Map<string, Counted>();
  for (const { at, rules } of notes) {
    const minute = Math.floor(at / MINUTE_MS);
    for (const [id, matched] of matchesOf(rules)) {
      const known = counts.get(id) ?? { matched: 0, lastAt: 0, minutes: new Map<number, number>() };
      known.matched += matched;
      known.lastAt = Math.max(known.lastAt, at);
      known.minutes.set(minute, (known.minutes.get(minute) ?? 0) + matched);
      counts.set(id, known);
    }
  }
  return counts;
}
