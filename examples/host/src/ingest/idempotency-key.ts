/** The key by which a repeated request is recognised. */
import { createHash } from 'node:crypto';
import { type HeaderPairs, headerValues } from '../http/headers.js';
import { Problem } from '../errors/problem.js';
import { deliveryIdOf, type IngestChannel } from '../sources/index.js';
import type { IdempotencyKey } from './persist.js';

/** Longest key, in UTF-16 units. */
const MAX_KEY = 255;

/**
 * The key by which a repeat of the request is recognised: a delivery id that the provider signed; else the sender's
 * Idempotency-Key, which anyone who captured a request can change; else a delivery id that is not signed.
 *
 * @throws Problem `invalid_request`
 */
export function idempotencyKeyOf(
  channel: IngestChannel,
  headers: HeaderPairs,
  body: Uint8Array,
): IdempotencyKey | null {
  const delivery = deliveryIdOf(channel.source.name, { headers, body });
  const own = delivery?.isSigned === true ? null : keyInHeaders(headers);
  const id = own === null ? delivery : null;
  const key = own !== null ? `key:${own}` : id !== null ? `delivery:${id.id}` : null;
  if (key === null) return null;
  // An id in the body names its event, however the provider prints the event the next time.
  const digest = id?.isInBody === true ? '' : createHash('sha256').update(body).digest('base64url');
  return { scope: `channel:${channel.id}`, key: shortened(key), digest };
}

/**
 * The Idempotency-Key of a request; null without one.
 *
 * @throws Problem `invalid_request`
 */
export function keyInHeaders(headers: HeaderPairs): string | null {
  const [key, ...more] = headerValues(headers, 'idempotency-key');
  if (more.length > 0 || key === '' || (key?.length ?? 0) > MAX_KEY) {
    throw new Problem('invalid_request', `Idempotency-Key: give one of 1 to ${MAX_KEY} characters`);
  }
  return key ?? null;
}

/** A provider's id may have any length. */
const shortened = (key: string): string =>
  key.length <= 2 * MAX_KEY ? key : `hash:${createHash('sha256').update(key).digest('base64url')}`;
