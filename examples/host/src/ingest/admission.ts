/** Decides who may send events to a channel. */
import type { Principal } from '../api/principal.js';
import { isUuid } from '../ids.js';
import { notFound, Problem } from '../errors/problem.js';
import type { IngestChannel } from '../sources/index.js';

/**
 * An address opens its channel unless the channel requires a key. An id needs a key: every delivered event contains it.
 *
 * @throws Problem
 */
export function assertMayIngest(
  name: string,
  channel: IngestChannel | null,
  principal: Principal | null,
): asserts channel is IngestChannel {
  if (channel?.byAddress === true && !channel.requiresKey && channel.type === 'webhook') return;
  // Without a key, nobody learns from an id whether a channel exists.
  if (principal === null && (channel !== null || isUuid(name))) {
    throw new Problem(
      'unauthorized',
      'give a key with the scope ingest: Authorization: Bearer <key>; or send to the address of the channel',
    );
  }
  if (channel?.type !== 'webhook' || principal === null) throw notFound('channel');
  const isOperator = principal.project === null;
  if (!isOperator && principal.project !== channel.project) throw notFound('channel');
  if (!isOperator && (principal.isSession || !principal.scopes.has('ingest'))) {
    throw new Problem('forbidden', 'this needs a key with the scope ingest');
  }
}
