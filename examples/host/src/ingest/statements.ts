/** The statements of ingest. */

/** A key that has expired is taken over, as a new one expires in a day from now; one that has not stays as it is. */
export const TAKE_EXPIRED = `(scope, key) do update set digest = excluded.digest, result = excluded.result,
  expires_at = excluded.expires_at where idempotency_keys.expires_at <= excluded.expires_at - 86400000`;

/** The results stored under keys, by this request or another. */
export const SELECT_KEYS = `select keys.scope, keys.key, digest, result, events.status
  from {rows $1: project text, scope text, key text} join idempotency_keys keys on keys.scope = rows.scope and keys.key = rows.key
  left join events on events.project_id = rows.project and events.id = result`;

export const COUNT_REJECTED = `update channels set rejected = rejected + rows.n, rejected_at = rows.at
  from {rows $1: id text, n int, at int} where channels.id = rows.id`;
