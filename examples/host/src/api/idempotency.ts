/**
 * Requests that name themselves with an `Idempotency-Key`: the second one does nothing, and gets the answer of the
 * first.
 */
import { createHash } from 'node:crypto';
import type { Transaction } from '../db/index.js';
import { Problem } from '../errors/problem.js';

/** A request that names itself. */
export interface NamedRequest {
  /** The name of the route and its project. */
  readonly scope: string;
  readonly key: string;
  /** The hash of what is asked for. */
  readonly digest: string;
}

const KEEP_MS = 86_400_000;
const KEY = /^[\x21-\x7e]{1,255}$/;

const REMEMBER = `insert into idempotency_keys (scope, key, digest, result, expires_at) values ($1, $2, $3, $4, $5)
  on conflict (scope, key) do update
    set digest = excluded.digest, result = excluded.result, expires_at = excluded.expires_at
    where idempotency_keys.expires_at <= $6`;
const SELECT = 'select digest, result from idempotency_keys where scope = $1 and key = $2';

/**
 * The name that a request gives itself; null if it gives none.
 *
 * @param scope - The name of the route and its project.
 * @param asked - The content of the request; other content under the same key is an error of the caller.
 * @throws Problem `invalid_request` for a key that is not 1 to 255 visible ASCII characters.
 */
export function namedRequest(headers: Headers, scope: string, asked: object): NamedRequest | null {
  const key = headers.get('idempotency-key');
  if (key === null) return null;
  if (!KEY.test(key)) {
    throw new Problem('invalid_request', 'Idempotency-Key: give 1 to 255 visible ASCII characters');
  }
  const digest = createHash('sha256').update(JSON.stringify(asked)).digest('base64url');
  return { scope, key, digest };
}

/**
 * Remembers a request in the transaction that does what it asks for. Of two requests at once, one waits for the other.
 *
 * @param id - The id of what the request is about to make.
 * @param at - Unix ms.
 * @returns The id of what an earlier request with this key has made; null for the first one.
 * @throws Problem `idempotency_conflict` where the earlier one asked for something else.
 */
export async function madeBefore(
  tx: Transaction,
  request: NamedRequest | null,
  id: string,
  at: number,
): Promise<string | null> {
  if (request === null) return null;
  const { scope, key, digest } = request;
  const isFirst = (await tx.run(REMEMBER, [scope, key, digest, id, at + KEEP_MS, at])) > 0;
  if (isFirst) return null;
  const row = await tx.get<{ digest: string; result: string }>(SELECT, [scope, key]);
  if (row?.digest === digest) return row.result;
  throw new Problem(
    'idempotency_conflict',
    'Idempotency-Key: another request had this key within 24 hours; give each request one of its own',
  );
}
