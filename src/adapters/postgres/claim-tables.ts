/**
 * The queries of a claim on Postgres. Reading and leasing are two statements without a common transaction: the second
 * one checks again that each delivery is due.
 */
import type { ClaimRequest, ReadBodies } from '../../delivery/store.js';
import type { Look } from '../sql/backlog.js';
import type { ClaimTables, DueRows } from '../sql/claim-due.js';
import { type Leased, type LeasedRow, readLeased } from '../sql/leased.js';
import type { EndpointQueue } from '../sql/endpoint-queues.js';
import { type DeliveryRow, UNSTORED } from '../sql/record.js';
import { storable } from '../sql/text.js';
import type { Candidate, Due } from '../sql/turns.js';
import type { LeasedBody } from '../leased-bodies.js';
import type { Database } from './database.js';
import type { Floor } from './floor.js';
import { EARLIEST } from './instants.js';
import type { Statements } from './statements.js';

interface DueRow {
  readonly part: keyof DueRows | 'seen';
  readonly id: string;
  readonly endpoint_id: string;
  readonly due_at: string;
  /** Identifies the body; null for deliveries that are due later. */
  readonly body: string | null;
  readonly bytes: number | null;
}

interface QueueRow {
  readonly endpoint_id: string;
  readonly due_at: string;
}

interface ReturnedRow extends DeliveryRow {
  /** Key of the body. */
  readonly content: string;
  /** The body; null if an earlier row has it, and where it is missing. */
  readonly bytes: Uint8Array | null;
  readonly was_due_at: string;
}

/** The parts of a store that its claims use. */
interface StoreParts {
  readonly database: Database;
  readonly statements: Statements;
  readonly floor: Floor;
  readonly readBodies: ReadBodies | undefined;
}

/** The queries of claims on the tables of one schema. Made with its store and used by every claim. */
export class PostgresClaimTables implements ClaimTables {
  readonly #database: Database;
  readonly #statements: Statements;
  readonly #floor: Floor;
  readonly #readBodies: ReadBodies | undefined;

  constructor({ database, statements, floor, readBodies }: StoreParts) {
    this.#database = database;
    this.#statements = statements;
    this.#floor = floor;
    this.#readBodies = readBodies;
  }

  async read({ at, until, from, window, behind }: Look): Promise<DueRows> {
    const queues = [[...behind.keys()], [...behind.values()]];
    const { due, later, seen } = this.#floor.of(at);
    const values = [from, at, window, ...queues, due, later, seen];
    // `expired` and `leased` stay empty: one index has pending and leased deliveries, so ended leases are among the
    // due.
    const found: Record<keyof DueRows, Candidate[]> = {
      due: [],
      behind: [],
      expired: [],
      later: [],
      leased: [],
    };
    let snapshot: string | null = null;
    for (const { part, id, endpoint_id, due_at, body, bytes } of await this.#database.rows<DueRow>(
      this.#statements.read,
      values,
    )) {
      if (part === 'seen') snapshot = id;
      else found[part].push({ id, endpoint_id, due_at: Number(due_at), body: body ?? '', bytes: bytes ?? 0 });
    }
    // With a backlog, not all due deliveries were read.
    if (from > EARLIEST) this.#floor.forget();
    else {
      const [earliest, next] = [found.due[0]?.due_at, found.later[0]?.due_at];
      this.#floor.learn({ at, until, earliest, next, seen: snapshot });
    }
    return found;
  }

  async queues(from: string, limit: number): Promise<readonly EndpointQueue[]> {
    const rows = await this.#database.rows<QueueRow>(this.#statements.queues, [from, limit]);
    return rows.map(({ endpoint_id, due_at }) => ({ endpoint_id, due_at: Number(due_at) }));
  }

  async lease(offered: readonly Due[], request: ClaimRequest): Promise<Leased> {
    const { at, limit, lease, until } = request;
    this.#floor.note(until);
    const byId = new Map(offered.map((due) => [due.id, due]));
    const values = [[...byId.keys()], at, limit, storable(lease), until];
    const bodies = new Map<string, LeasedBody>([[`${UNSTORED}`, 'unstored']]);
    const leased: LeasedRow[] = [];
    for (const row of await this.#database.rows<ReturnedRow>(this.#statements.lease, values)) {
      if (row.bytes !== null) bodies.set(row.content, row.bytes);
      const [due, body = null] = [byId.get(row.id), bodies.get(row.content)];
      if (due !== undefined) leased.push({ due, row, body, dueAt: Number(row.was_due_at) });
    }
    return readLeased(leased, { columns: this.#statements.columns, readBodies: this.#readBodies });
  }
}
