/** Reads what is given as a reply. */
import { clientError } from './client-error.js';
import type { Reply } from './outbox.js';

const isId = (id: unknown): boolean => typeof id === 'string' && id !== '' && id.length <= 200;

/**
 * A reply to send. Its text is made now, so that later changes to the payload have no effect.
 *
 * @throws {@link ClientError} `invalid_reply`
 */
export function readReply(eventId: string, payload: unknown, id: string): Omit<Reply, 'settle'> {
  let cause: unknown;
  try {
    const text = JSON.stringify(payload) as string | undefined;
    if (text !== undefined && isId(eventId) && isId(id)) {
      return { id, eventId, payload: text, bytes: new TextEncoder().encode(text).length };
    }
  } catch (error) {
    cause = error;
  }
  throw clientError('invalid_reply', '', cause);
}

/** A random number from 0 up to 1. */
export const randomFraction = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;

/** 96 random bits; `randomUUID` is missing on pages that were not loaded over HTTPS. */
export const randomId = (): string => crypto.getRandomValues(new Uint32Array(3)).join('-');
