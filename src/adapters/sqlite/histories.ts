/** Moves attempts from the column `history`, where each was a line of JSON, to rows of their own. */
import type { Attempt } from '../../delivery/delivery.js';
import { rowOf } from '../sql/record.js';
import type { SqliteDatabase } from './driver.js';

interface HistoryRow {
  readonly number: number;
  readonly history: string;
}

/** Deliveries that are read at once. */
const BATCH = 1_000;

/**
 * Reads the histories in `headgate_deliveries`, and adds the attempts of all deliveries; a line that is damaged is left
 * out, as it was when histories were read.
 */
export function addHistories(database: SqliteDatabase): void {
  const next = database.prepare(`select number, history from headgate_deliveries
    where number > ? and history <> '' order by number limit ?`);
  const add = database.prepare(`insert into headgate_attempts
      (delivery, number, started_at, ended_at, failure, status, transient, retry_after, detail)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (delivery, number) do nothing`);
  const keepLast = database.prepare(
    'update headgate_deliveries_new set failure = ?, status = ? where number = ?',
  );
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const rows = next.all(after, BATCH) as HistoryRow[];
    for (const { number: delivery, history } of rows) {
      const attempts = attemptsIn(history);
      for (const attempt of attempts) {
        const { number, started_at, ended_at, failure, status, transient, retry_after, detail } =
          rowOf(attempt);
        const flag = transient === null ? null : Number(transient);
        add.run(delivery, number, started_at, ended_at, failure, status, flag, retry_after, detail);
      }
      const last = attempts.at(-1);
      if (last !== undefined) keepLast.run(rowOf(last).failure, rowOf(last).status, delivery);
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.number;
  }
}

const attemptsIn = (history: string): readonly Attempt[] =>
  history
    .split('\n')
    .map(attemptIn)
    .filter((attempt) => attempt !== null);

function attemptIn(line: string): Attempt | null {
  if (line === '') return null;
  try {
    const value: unknown = JSON.parse(line);
    return isAttempt(value) ? value : null;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function isAttempt(value: unknown): value is Attempt {
  if (!isObject(value) || !isObject(value.outcome)) return false;
  const { number, started_at, ended_at, outcome } = value;
  const areIntegers = [number, started_at, ended_at].every((one) => Number.isSafeInteger(one));
  return (
    areIntegers && (outcome.ok === true || (outcome.ok === false && typeof outcome.failure === 'string'))
  );
}
