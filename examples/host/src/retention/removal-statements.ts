/** The statements that remove the rows of a deleted project, at most 500 at a time: `$1` is the project. */
import type { Sql } from '../db/index.js';

/** A deletion that has not ended. */
export interface DeletionRow {
  readonly project_id: string;
  /** Unix ms. */
  readonly deleted_at: number;
}
export const SELECT_RUNNING =
  'select project_id, deleted_at from project_deletions where ended_at is null order by id limit 100';
export const ADD_REMOVED = 'update project_deletions set removed = removed + $2 where project_id = $1';
export const END = 'update project_deletions set ended_at = $2 where project_id = $1 and ended_at is null';

/** Each state by its name, since the indexes of deliveries are of some states each. */
export const SELECT_DELIVERIES = [
  ...['pending', 'waiting', 'delivered', 'failed'].map((state) => `state = '${state}'`),
  '{leased}',
].map(
  (condition) => `select id from {deliveries} where project_id = $1 and ${condition}
    order by origin, created_at, number limit 500`,
);
export const SELECT_EVENTS = 'select id from events where project_id = $1 order by id limit 100';

/**
 * Deletes rows of a table that many projects share. Postgres finds the rows by an index, in its order, and deletes them
 * by their places: by their keys, it might read the whole table for each batch.
 *
 * @param order - The columns of an index that begins with the project.
 */
const of = (table: string, key: string, order = key): Sql => ({
  sqlite: `delete from ${table} where (${key}) in (select ${key} from ${table} where project_id = $1 limit 500)`,
  postgres: `delete from ${table} where ctid = any (array(
    select ctid from ${table} where project_id = $1 order by ${order} limit 500))`,
});
/** Deletes rows that belong to some owners: `$1` is a list of `{ id }`. */
const owned = (table: string, owner: string, key: string, order = key): Sql => ({
  sqlite: `delete from ${table} where (${key}) in (select ${columnsOf(key)}
    from {rows $1: id text} cross join ${table} as one on one.${owner} = rows.id limit 500)`,
  postgres: `delete from ${table} where ctid = any (array(select one.ctid from {rows $1: id text}
    cross join lateral (select ctid from ${table} where ${owner} = rows.id order by ${order} limit 100) as one limit 500))`,
});
const columnsOf = (key: string): string => key.replaceAll(/\w+/g, 'one.$&');

/** Rows that name their project. Bulk actions go first, since they make deliveries. */
export const DELETE_OWN = [
  of('bulk_actions', 'id', 'project_id, kind, id'),
  of('sessions', 'hash', 'project_id'),
  of('sign_in_links', 'hash', 'project_id'),
  of('rule_matches', 'project_id, bucket, id'),
  of('event_postings', 'project_id, fact, newest_id'),
  of('event_log', 'project_id, position'),
  of('decided_batches', 'project_id, slot'),
  of('event_minutes', 'project_id, minute, status'),
  of('attempt_spans', 'project_id, span, code'),
  of('replies', 'project_id, event_id, client, reply_id'),
  of('clients', 'project_id, name'),
  of('received_requests', 'id', 'project_id, at'),
  of('receivers', 'id', 'project_id, id'),
  of('alerts', 'project_id, kind, subject'),
  of('alert_events', 'project_id, id'),
  of('event_types', 'project_id, name'),
  of('endpoint_topics', 'project_id, entry, endpoint_id'),
  of('portal_logos', 'id', 'project_id'),
] as const;
/** Rows by which others are found: they go last. */
export const DELETE_LAST = [
  of('api_keys', 'id', 'project_id, id'),
  of('audit_log', 'id', 'project_id, action, id'),
] as const;

/** Requests that named themselves: `$1` is a list of scopes as `{ id }`. */
export const DELETE_NAMED_REQUESTS = owned('idempotency_keys', 'scope', 'scope, key');
/** The routes whose requests name themselves. */
export const NAMING_ROUTES = [
  'redeliverDeadLetters',
  'retryDelivery',
  'replayEvents',
  'replayEvent',
] as const;

/** A kind of row that others belong to. */
export interface Owner {
  readonly table: 'comparisons' | 'endpoints' | 'channels' | 'rules';
  /** Delete what belongs to some of them: `$1` is a list of `{ id }`. */
  readonly deleteOwned: readonly Sql[];
  /** The action of the audit log that names those that were deleted before; null if they left nothing. */
  readonly deletedAs: string | null;
}

const secrets = owned('signing_secrets', 'owner_id', 'id', 'owner_id, created_at');
export const COMPARISONS: Owner = {
  table: 'comparisons',
  deleteOwned: [owned('comparison_events', 'comparison_id', 'comparison_id, newest_id')],
  deletedAs: null,
};
export const OWNERS: readonly Owner[] = [
  {
    table: 'endpoints',
    deleteOwned: [owned('endpoint_minutes', 'endpoint_id', 'endpoint_id, minute, code'), secrets],
    deletedAs: 'endpoint.deleted',
  },
  { table: 'channels', deleteOwned: [secrets], deletedAs: null },
  {
    table: 'rules',
    deleteOwned: [
      owned('rule_minutes', 'rule_id', 'rule_id, minute'),
      owned('rule_spans', 'rule_id', 'rule_id, span'),
      owned('large_rule_versions', 'rule_id', 'rule_id, id'),
      owned('rule_counts', 'rule_id', 'rule_id'),
    ],
    deletedAs: 'rule.deleted',
  },
];
export const selectOwners = ({ table }: Owner): string =>
  `select id from ${table} where project_id = $1 order by id limit 50`;
export const deleteOwners = ({ table }: Owner): string => `delete from ${table} where id in {list $1}`;
/** Entries about owners that were deleted before the project, after `$3`: `resource` ends with their id. */
export const SELECT_DELETED = `select id, resource from audit_log
  where project_id = $1 and action = $2 and id > $3 order by id limit 50`;
