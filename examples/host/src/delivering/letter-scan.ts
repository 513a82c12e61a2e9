/** Reading dead letters by a filter, newest failure first, a bounded number of rows at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queries, Value } from '../db/index.js';
import { ALERT_TYPES } from '../stored/event-json.js';
import { tagFact } from '../stored/facts.js';
import { selectHasFact } from '../stored/postings.js';
import type { LetterFilter } from './routes.js';
import { COLUMNS_OF_DELIVERY, type DeliveryRow } from './statements.js';

/** A scan goes on below this letter. */
export interface LetterCursor {
  /** Unix ms. */
  readonly failedAt: number;
  readonly id: string;
}

/** A filter as letters are scanned by it. */
export type LetterConditions = LetterFilter & {
  /** Leaves out the letters of alerts, for the portal. */
  readonly hidesAlerts?: boolean;
};

/** Which letters are scanned. */
export interface LetterScan {
  readonly project: string;
  readonly filter: LetterConditions;
  readonly start: LetterCursor;
  /** Letters that this redelivery has made are left out; null if the scan is not for a redelivery. */
  readonly except: string | null;
}

/** Above all letters that a filter selects. */
export const startOf = ({ to }: LetterFilter): LetterCursor => ({
  failedAt: to ?? Number.MAX_SAFE_INTEGER,
  id: '',
});

/** The conditions of a scan: those that an index answers, and those that are tried on each row. */
interface Conditions {
  readonly driver: string;
  /** Number of the first values, which the driver uses. */
  readonly driverValues: number;
  readonly rest: readonly string[];
  readonly values: readonly Value[];
}

/** Columns by which a scan may be driven; the first that a filter has usually selects the fewest. */
const COLUMNS = [
  ['endpoint', 'endpoint_id'],
  ['failure', 'failure'],
  ['type', 'event_type'],
] as const;

/** Values are numbered as they come, those of the driver first. */
function conditionsOf({ project, filter, start, except }: LetterScan): Conditions {
  const values: Value[] = [project];
  const bound = (value: Value): string => `$${values.push(value)}`;
  const [first, ...others] = COLUMNS.flatMap(([name, column]) => {
    const value = filter[name];
    return value === undefined ? [] : [() => `${column} = ${bound(value)}`];
  });
  const driver = [
    '{dead} and project_id = $1',
    ...(first === undefined ? [] : [first()]),
    `finished_at >= ${bound(filter.from ?? 0)}`,
    `(finished_at, id) < (${bound(start.failedAt)}, ${bound(start.id)})`,
  ].join(' and ');
  const driverValues = values.length;
  const rest = others.map((condition) => condition());
  if (filter.status_from !== undefined) rest.push(`status_code >= ${bound(filter.status_from)}`);
  if (filter.status_to !== undefined) rest.push(`status_code <= ${bound(filter.status_to)}`);
  if (filter.order !== undefined) rest.push('holds = 1');
  if (filter.hidesAlerts === true) rest.push(`event_type not like '${ALERT_TYPES}%'`);
  if (except !== null) rest.push(`(redelivery_id is null or redelivery_id <> ${bound(except)})`);
  if (filter.tag !== undefined) {
    const fact = bound(tagFact(filter.tag));
    rest.push(`exists (${selectHasFact(fact, 'scanned.event_id')})`);
  }
  return { driver, driverValues, rest, values };
}

const NEWEST_FIRST = 'order by finished_at desc, id desc';
const TESTED = `finished_at, id, event_id, event_type, endpoint_id, failure, status as status_code, redelivery_id,
  case when holds_key then 1 else 0 end as holds`;

const scannedRows = (columns: string, driver: string, most: number): string =>
  `select ${columns} from {deliveries} where ${driver} ${NEWEST_FIRST} limit ${most}`;

const where = (rest: readonly string[]): string => (rest.length === 0 ? '' : `where ${rest.join(' and ')}`);

/** The result of one step of a scan. */
export interface ScannedLetters {
  readonly letters: readonly DeliveryRow[];
  /** The start of the next step; null once all letters were looked at. */
  readonly next: LetterCursor | null;
}

/**
 * Letters that meet the filter among the next ones.
 *
 * @param limit - Most letters to return.
 * @param scan - Most letters to look at.
 */
export async function scanLetters(
  queries: Queries,
  asked: LetterScan,
  limit: number,
  scan: number,
): Promise<ScannedLetters> {
  const { driver, rest, values } = conditionsOf(asked);
  // A value, since each text of a statement is prepared, and kept.
  const sql = `with scanned as (${scannedRows(COLUMNS_OF_DELIVERY, driver, scan)})
    select * from scanned ${where(rest)} ${NEWEST_FIRST} limit $${values.length + 1}`;
  const letters = await queries.all<DeliveryRow>(sql, [...values, limit]);
  const last = letters.at(-1);
  if (letters.length === limit && last !== undefined) return { letters, next: cursorOfRow(last) };
  return { letters, next: await lastOf(queries, asked, scan) };
}

/** The letter at which a whole scan ends; null if it reaches the last one. */
async function lastOf(queries: Queries, asked: LetterScan, scan: number): Promise<LetterCursor | null> {
  const { driver, driverValues, values } = conditionsOf(asked);
  const sql = `${scannedRows('finished_at, id', driver, 1)} offset ${scan - 1}`;
  const row = await queries.get<Pick<DeliveryRow, 'finished_at' | 'id'>>(sql, values.slice(0, driverValues));
  return row === undefined ? null : cursorOfRow(row);
}

/** Letters that one statement counts; the event loop turns between them. */
const COUNT_SCAN = 10_000;

/** Counts the letters that a filter selects, however many there are. */
export async function countLetters(
  queries: Queries,
  project: string,
  filter: LetterConditions,
  first: LetterCursor = startOf(filter),
): Promise<number> {
  let count = 0;
  for (let next: LetterCursor | null = first; next !== null;) {
    const asked: LetterScan = { project, filter, start: next, except: null };
    const { driver, rest, values } = conditionsOf(asked);
    const columns = rest.length === 0 ? 'finished_at, id' : TESTED;
    const sql = `with scanned as (${scannedRows(columns, driver, COUNT_SCAN)})
      select count(*) as n from scanned ${where(rest)}`;
    count += (await queries.get<{ n: number }>(sql, values))?.n ?? 0;
    next = await lastOf(queries, asked, COUNT_SCAN);
    if (next !== null) await nextTurn();
  }
  return count;
}

const cursorOfRow = ({ finished_at, id }: Pick<DeliveryRow, 'finished_at' | 'id'>): LetterCursor => ({
  failedAt: finished_at ?? 0,
  id,
});
