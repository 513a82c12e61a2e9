/** Deletes finished deliveries and their bodies, one batch in each transaction. */
import {
  type DeletedCounts,
  type DeleteFinishedOptions,
  type Deletion,
  readRetention,
} from '../../delivery/retention.js';
import type { KeyRow, PromotedRow } from '../sql/keys.js';
import { restored, storable } from '../sql/text.js';
import type { Database } from './database.js';
import { bound, EARLIEST } from './instants.js';
import { KeyHolders } from './key-holders.js';
import type { PostgresClient } from './pool.js';
import type { Statements } from './statements.js';

/** See {@link Retention.deleteFinished}. */
export async function deleteFinished(
  database: Database,
  statements: Statements,
  options: DeleteFinishedOptions,
): Promise<DeletedCounts> {
  const { before, batchSize } = readRetention(options);
  const batch: Batch = { database, statements, before: bound(before), batchSize };
  const deliveries = await deleteDeliveries(batch);
  return { deliveries, bodies: await deleteBodies(batch) };
}

interface Batch {
  readonly database: Database;
  readonly statements: Statements;
  readonly before: number;
  readonly batchSize: number;
}

async function deleteDeliveries({ database, statements, before, batchSize }: Batch): Promise<number> {
  let deliveries = 0;
  let from = `${EARLIEST}`;
  for (let count = batchSize; count === batchSize; deliveries += count) {
    const values = [from, before, batchSize];
    const [gone] = await database.rows<{ count: number; last: string | null }>(
      statements.deleteFinished,
      values,
    );
    count = gone?.count ?? 0;
    from = gone?.last ?? from;
  }
  return deliveries;
}

/** The newest of a batch of old bodies; 64-bit numbers are text. */
interface OldBodies {
  readonly created_at: string;
  readonly id: string;
  /** Number of bodies of the batch that were deleted. */
  readonly count: number;
}

interface LockedBodies extends Omit<OldBodies, 'count'> {
  /** Bodies of the batch that no other transaction is about to use. */
  readonly ids: readonly string[];
}

/** Reads the old bodies once, oldest first, and deletes those that no delivery needs. */
async function deleteBodies(batch: Batch): Promise<number> {
  let bodies = 0;
  let last: OldBodies | null = { created_at: `${EARLIEST}`, id: '0', count: 0 };
  while (last !== null) {
    last = await deleteBodiesAfter(last, batch);
    bodies += last?.count ?? 0;
  }
  return bodies;
}

function deleteBodiesAfter({ created_at, id }: OldBodies, batch: Batch): Promise<OldBodies | null> {
  const { database, statements, before, batchSize } = batch;
  return database.transaction(async (client) => {
    const values = [created_at, id, before, batchSize];
    const [old] = await database.rows<LockedBodies>(statements.lockBodies, values, client);
    if (old === undefined) return null;
    const [gone] = await database.rows<{ count: number }>(statements.deleteBodies, [old.ids], client);
    return { ...old, count: gone?.count ?? 0 };
  });
}

/**
 * In the order in which dead letters are locked when they are redelivered or discarded, so that two statements on the
 * same letters cannot deadlock.
 */
const DELETE_NAMED = `
  with gone as (
    delete from {{schema}}.deliveries where id = any (array(
      select id from {{schema}}.deliveries where id = any ($1::text[]) and (finished_at is not null or $2)
      order by finished_at, id for update
    ))
    returning id, body, number, endpoint_id, ordering_key
  ), attempted as (
    delete from {{schema}}.attempts where delivery = any (array(select number from gone))
  )
  select id, body, endpoint_id, ordering_key from gone`;

/** Skips bodies that another transaction is about to use. */
const LOCK_BODIES = `
  select id from {{schema}}.bodies where id = any ($1::bigint[]) order by id for update skip locked`;

interface DeletedRow extends Pick<KeyRow, 'endpoint_id'> {
  readonly id: string;
  readonly body: string;
  readonly ordering_key: string | null;
}

/** Deliveries that were deleted, and those that waited behind them. */
export interface Deleted {
  readonly ids: readonly string[];
  readonly promoted: readonly PromotedRow[];
}

/**
 * See {@link DeliveryDeletion.deleteDeliveries}.
 *
 * @param host - A connection of the host with an open transaction.
 */
export async function deleteNamed(
  database: Database,
  statements: Statements,
  deletion: Deletion,
  host?: PostgresClient,
): Promise<Deleted> {
  const run = (client: PostgresClient): Promise<Deleted> => deleteIn(client, database, statements, deletion);
  return await (host === undefined ? database.transaction(run) : run(host));
}

async function deleteIn(
  client: PostgresClient,
  database: Database,
  statements: Statements,
  { ids, unfinished }: Deletion,
): Promise<Deleted> {
  const keys = new KeyHolders(database, statements);
  const asked = ids.map(storable);
  await keys.lockOf(asked, client);
  const values = [asked, unfinished];
  const gone = await database.rows<DeletedRow>(statements.of(DELETE_NAMED), values, client);
  const keyed = gone.flatMap(({ endpoint_id, ordering_key }) =>
    ordering_key === null ? [] : { endpoint_id, ordering_key },
  );
  const promoted = await keys.removed(keyed, client);
  const bodies = [...new Set(gone.map(({ body }) => body))];
  const locked = await database.rows<{ id: string }>(statements.of(LOCK_BODIES), [bodies], client);
  await database.rows(statements.deleteBodies, [locked.map(({ id }) => id)], client);
  return { ids: gone.map(({ id }) => restored(id)), promoted };
}
