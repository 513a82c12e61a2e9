/** Raises alerts: one upsert for the signs of many subjects, in the transaction of their cause where there is one. */
import { iso } from '../api/shapes.js';
import type { Database, Queries, Row } from '../db/index.js';
import { newId } from '../ids.js';
import type { CountedSign } from './signs.js';
import { LOCK_FAILING, RAISE, SELECT_RAISED } from './statements.js';

/** An endpoint is reported once all its attempts have failed for this long: most failures end with the next retry. */
export const FAILING_MS = 300_000;
/** Rows of one statement. */
const MOST_ROWS = 500;

const FAILING = 'headgate.endpoint.failing';

/** Writes signs. Each is added to its alert, which is made if it does not exist. */
export async function raise(queries: Queries, signs: readonly CountedSign[]): Promise<void> {
  if (signs.length > 0) await queries.run(RAISE, [JSON.stringify(signs.map(rowOf))]);
}

/**
 * Writes signs that were counted in memory. It drops those of endpoints that have not been failing for long, or have
 * recovered meanwhile.
 *
 * @returns The signs that could not be written, and the error; null if all were written.
 */
export async function raiseCounted(
  db: Database,
  signs: readonly CountedSign[],
): Promise<{ readonly left: readonly CountedSign[]; readonly error: unknown } | null> {
  for (let at = 0; at < signs.length; at += MOST_ROWS) {
    const part = signs.slice(at, at + MOST_ROWS);
    try {
      await raisePart(db, part);
    } catch (error) {
      return { left: signs.slice(at), error };
    }
  }
  return null;
}

async function raisePart(db: Database, signs: readonly CountedSign[]): Promise<void> {
  const failing = signs.filter(({ kind }) => kind === FAILING);
  await raise(
    db,
    signs.filter(({ kind }) => kind !== FAILING),
  );
  if (failing.length > 0) await db.transaction((tx) => raiseFailing(tx, failing));
}

async function raiseFailing(tx: Queries, signs: readonly CountedSign[]): Promise<void> {
  const last = Math.max(...signs.map(({ lastAt }) => lastAt));
  const values = [JSON.stringify(signs.map(endpointOf)), last - FAILING_MS];
  const rows = await tx.all<{ id: string; failing_since: number }>(LOCK_FAILING, values);
  const since = new Map(rows.map((row) => [row.id, row.failing_since]));
  const lasting = signs.flatMap((sign) => {
    const at = since.get(endpointOf(sign));
    if (at === undefined || at > sign.lastAt - FAILING_MS) return [];
    return [{ ...sign, detail: { failing_since: iso(at), ...sign.detail } }];
  });
  await raise(tx, lasting);
}

const endpointOf = ({ subject }: CountedSign): string => subject.slice('endpoint:'.length);

/** Raises an alert about an endpoint that has recovered, if its failing was reported. */
export async function raiseRecovered(tx: Queries, sign: CountedSign, failingSince: number): Promise<boolean> {
  const { project, subject } = sign;
  const raised = await tx.get(SELECT_RAISED, [project, FAILING, subject, failingSince]);
  if (raised === undefined) return false;
  await raise(tx, [sign]);
  return true;
}

const rowOf = ({ project, kind, subject, detail, count, since, lastAt }: CountedSign): Row => ({
  ...{ project_id: project, kind, subject, id: newId(lastAt), since, last_at: lastAt, signs: count },
  detail: JSON.stringify(detail),
});
