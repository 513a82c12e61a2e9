/** The queries of a claim on SQLite. */
import type { ClaimRequest, ReadBodies } from '../../delivery/store.js';
import type { Look } from '../sql/backlog.js';
import { type ClaimTables, type DueRows, EXPIRED_AT_A_TIME, LATER_AT_A_TIME } from '../sql/claim-due.js';
import { type LeasedRow, readLeased } from '../sql/leased.js';
import type { EndpointQueue } from '../sql/endpoint-queues.js';
import { type AttemptRow, type DeliveryRow, UNSTORED } from '../sql/record.js';
import { storable } from '../sql/text.js';
import type { Candidate, Due } from '../sql/turns.js';
import type { LeasedBody } from '../leased-bodies.js';
import type { SqliteDatabase } from './driver.js';
import type { Statements } from './statements.js';

/** A row that was leased, without its last attempt. */
type ReturnedRow = Omit<DeliveryRow, keyof AttemptRow> & { readonly body: number };

/** Runs work on the database, and waits while another connection has it locked. */
export interface Access {
  readonly read: <T>(work: () => T) => Promise<T>;
  /**
   * Runs work in a transaction, and resolves once it is on the disk. If the host passes a connection, the work is done
   * on that one, in the transaction that is open there, before the promise is returned.
   */
  readonly write: <T>(work: (database: SqliteDatabase) => T, host?: SqliteDatabase) => Promise<T>;
  /** The same, but resolves before it is on the disk: for writes that a power cut may undo. */
  readonly writeWithoutSync: <T>(work: () => T) => Promise<T>;
}

export const createClaimTables = (
  statements: Statements,
  access: Access,
  readBodies: ReadBodies | undefined,
): ClaimTables => ({
  read: (look) => access.read(() => readDue(statements, look)),
  queues: (from, limit) => access.read(() => statements.queues.all(from, limit) as EndpointQueue[]),
  // A power cut that undoes a lease also ends the process that holds it.
  lease: async (offered, request) => {
    const rows = await access.writeWithoutSync(() => lease(statements, offered, request));
    return await readLeased(rows, { columns: statements.columns, readBodies });
  },
});

function readDue(statements: Statements, { at, from, window, behind }: Look): DueRows {
  const { due, expired, later, leased } = statements;
  return {
    due: due.all(from, at, window) as Candidate[],
    expired: expired.all(at, EXPIRED_AT_A_TIME) as Candidate[],
    behind: behind.size === 0 ? [] : readBehind(statements, behind, Math.min(from, at)),
    later: later.all(at, LATER_AT_A_TIME) as Due[],
    leased: leased.all(at, LATER_AT_A_TIME) as Due[],
  };
}

/** Reads all queues with one statement, of each as many as the largest share. */
function readBehind(
  statements: Statements,
  behind: ReadonlyMap<string, number>,
  dueBy: number,
): readonly Candidate[] {
  const rows = statements.behind.all(JSON.stringify([...behind.keys()]), dueBy, Math.max(...behind.values()));
  return (rows as Candidate[]).sort((a, b) => a.due_at - b.due_at);
}

function lease(
  statements: Statements,
  offered: readonly Due[],
  { at, until, limit, lease }: ClaimRequest,
): readonly LeasedRow[] {
  const token = storable(lease);
  const bodies = new Map<number, LeasedBody>([[UNSTORED, 'unstored']]);
  const leased: LeasedRow[] = [];
  for (const due of offered) {
    if (leased.length === limit) break;
    const row = statements.lease.get(token, until, due.id, at) as ReturnedRow | undefined;
    if (row === undefined) continue; // another worker has leased it
    const known = bodies.get(row.body);
    const body = known === undefined ? bytesOf(statements, row.body) : known;
    bodies.set(row.body, body);
    const whole = { ...row, ...lastAttemptOf(statements, due.id, row.attempts !== 0) };
    leased.push({ due, row: whole, body, dueAt: due.due_at });
  }
  return leased;
}

const NO_ATTEMPT: AttemptRow = {
  ...{ a_number: null, a_started_at: 0, a_ended_at: 0, a_failure: null, a_status: null, a_transient: null },
  ...{ a_retry_after: null, a_detail: null, a_url: null },
};

/**
 * The columns of the last attempt of a delivery.
 *
 * @param delivery - Its number.
 * @param hasAttempts - False for one that was never attempted: most are claimed once.
 */
export const lastAttemptOf = (
  { lastAttempt }: Statements,
  delivery: number | string,
  hasAttempts: boolean,
): AttemptRow =>
  (hasAttempts ? (lastAttempt.get(delivery) as AttemptRow | undefined) : undefined) ?? NO_ATTEMPT;

/** Null if the body is missing. */
const bytesOf = ({ bytes }: Statements, body: number): Uint8Array | null =>
  (bytes.get(body) as { bytes: Uint8Array } | undefined)?.bytes ?? null;
