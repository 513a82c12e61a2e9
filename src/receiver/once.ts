/** Handles each event once, as far as the store of seen keys remembers. */
import type { VerifiedDelivery } from '../signing/reader.js';
import type { ReadEvent } from './event.js';
import type { ReceiverOptions, RequestInfo } from './options.js';
import { ReceiverError } from './receiver-error.js';
import type { SeenStore } from './seen.js';

/** Without a store, every delivery is new. */
const NONE: SeenStore = { begin: () => true, end: () => undefined };

/**
 * Resolves once the event is handled, now or before.
 *
 * @throws {@link ReceiverError} `in_progress`, `handler_failed`, `seen_failed`
 */
export function createOnce<E>({
  handle,
  seen = NONE,
}: ReceiverOptions<E>): (
  read: ReadEvent<E>,
  delivery: VerifiedDelivery,
  request: RequestInfo,
) => Promise<void> {
  return async ({ id, event }, delivery, request) => {
    const key = `${delivery.origin} ${id}`;
    const answer = await stored(() => seen.begin(key));
    if (answer === false) return;
    if (answer !== true) throw new ReceiverError('in_progress', `${id}: an earlier request is being handled`);
    try {
      await handle(event, delivery, request);
    } catch (cause) {
      // The handler's failure is the one to report, even if the key cannot be forgotten.
      await Promise.resolve(stored(() => seen.end(key, false))).catch(() => undefined);
      throw new ReceiverError('handler_failed', `${id}: the handler failed`, { cause });
    }
    await stored(() => seen.end(key, true));
  };
}

async function stored<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new ReceiverError('seen_failed', 'seen: the store failed', { cause });
  }
}
