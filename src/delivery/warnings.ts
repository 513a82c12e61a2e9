/** Process warnings about scheduler events for which the host has no callback, once for each cause. */
import { StoreError } from '../errors.js';
import type { SchedulerCallbacks } from './callbacks.js';
import type { Attempt } from './delivery.js';

/** Most warnings of one scheduler: a host may throw any number of different errors. */
const MAX_CAUSES = 100;

/**
 * Callbacks that warn. An event for which the host has a callback causes no warning.
 *
 * @param listeners - The host's callbacks, read at each event.
 * @param warn - Emits one warning.
 */
export function createWarnings(
  listeners: readonly SchedulerCallbacks[],
  warn: (sentence: string) => void = emitWarning,
): SchedulerCallbacks {
  const causes = new Set<string>();
  /** The warning recommends the first callback; each of them silences it. */
  const say = (callbacks: Callbacks, cause: string, consequence: string, key = cause): void => {
    if (listeners.some((on) => callbacks.some((callback) => typeof on[callback] === 'function'))) return;
    if (causes.has(key) || causes.size === MAX_CAUSES) return;
    causes.add(key);
    warn(
      `headgate: ${cause}. ${consequence} This is printed once; pass on: { ${callbacks[0]} } to handle each.`,
    );
  };
  return {
    storeFailed: ({ error }) => {
      if (isDamage(error)) say(['storeFailed'], `the store found ${error.message}`, DAMAGED, error.code);
      else {
        say(
          ['storeFailed'],
          `the store failed: ${wordsOf(error)}`,
          'Nothing is lost; the store is asked again.',
        );
      }
    },
    released: (_, error) => {
      if (error === undefined) return;
      const cause = `the look-up of an endpoint, or its signer, threw ${wordsOf(error)}`;
      say(['released'], cause, 'Nothing was sent; the delivery rests for a minute.');
    },
    leaseLost: (_, attempt) => {
      // With an attempt, the store failed, of which storeFailed has already warned.
      if (attempt !== null) return;
      const cause = 'an attempt did not end before its lease';
      say(['leaseLost'], cause, 'It will be repeated. A look-up, a signer or the transport hangs.');
    },
    attempted: ({ state }, attempt) => {
      const cause = ownFault(attempt);
      if (cause === null) return;
      if (state === 'failed') say(['deadLettered', 'attempted'], cause, 'The delivery is a dead letter now.');
      else say(['attempted'], cause, 'After the last attempt, the delivery is a dead letter.');
    },
    callbackFailed: (error) =>
      say(['callbackFailed'], `a callback of the host threw ${wordsOf(error)}`, 'Deliveries go on.'),
  };
}

type Callbacks = readonly [keyof SchedulerCallbacks, ...(keyof SchedulerCallbacks)[]];

const DAMAGED = 'Everything else goes on; docs/stores.md explains what to do about damaged rows.';

/** Damage has one cause for all deliveries, although each message names its delivery. */
const isDamage = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.code === 'store_damaged';

/** The fault on the sender's side that failed an attempt; null if there is no such fault. */
function ownFault({ outcome }: Attempt): string | null {
  if (outcome.ok) return null;
  if (outcome.failure === 'internal_error') {
    return `an attempt failed on the sender's side: ${outcome.detail}`;
  }
  return outcome.failure === 'endpoint_gone' ? 'the look-up found no endpoint for a delivery' : null;
}

/** The message of a `StoreError`, which never quotes. Of other errors only name and code, since a message may quote. */
function wordsOf(error: unknown): string {
  if (error instanceof StoreError) return error.message;
  if (!(error instanceof Error)) return `a ${typeof error}`;
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `${error.name}${code}`.slice(0, 100);
}

/** The part of Node's `process` that is used; other runtimes may have none. */
interface Warning {
  readonly process?: { readonly emitWarning?: (sentence: string, type: string) => void };
}

function emitWarning(sentence: string): void {
  const { process } = globalThis as Warning;
  if (typeof process?.emitWarning === 'function') process.emitWarning(sentence, 'HeadgateWarning');
  else console.warn(sentence);
}
