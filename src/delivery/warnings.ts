/** What a scheduler says where its host does not listen: each cause once, as a warning of the process. */
import { StoreError } from '../errors.js';
import type { SchedulerCallbacks } from './callbacks.js';
import type { Attempt } from './delivery.js';

/** Errors of a host may be of any number; warnings are not to be. */
const MOST_CAUSES = 100;

/**
 * Callbacks that warn. They are silent about what one of the host's own is told.
 *
 * @param listeners - The host's; what they have counts at the moment of a call.
 * @param warn - Takes a sentence.
 */
export function createWarnings(
  listeners: readonly SchedulerCallbacks[],
  warn: (sentence: string) => void = emitWarning,
): SchedulerCallbacks {
  const causes = new Set<string>();
  /** The first of the callbacks is the one to give; any of them is told of the same. */
  const say = (callbacks: Callbacks, cause: string, consequence: string, key = cause): void => {
    if (listeners.some((on) => callbacks.some((callback) => typeof on[callback] === 'function'))) return;
    if (causes.has(key) || causes.size === MOST_CAUSES) return;
    causes.add(key);
    warn(
      `headgate: ${cause}. ${consequence} This is said once; give on: { ${callbacks[0]} } to hear of each.`,
    );
  };
  return {
    storeFailed: ({ error }) => {
      if (isDamage(error)) say(['storeFailed'], `the store found ${error.message}`, DAMAGED, error.code);
      else say(['storeFailed'], `the store failed: ${wordsOf(error)}`, 'Nothing is lost; it is asked again.');
    },
    released: (_, error) => {
      if (error === undefined) return;
      const cause = `the look-up of an endpoint, or its signer, threw ${wordsOf(error)}`;
      say(['released'], cause, 'Nothing was sent; the delivery rests for a minute.');
    },
    leaseLost: (_, attempt) => {
      // With an attempt, it is the store that failed, which is said already.
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

const DAMAGED = 'Everything else goes on; docs/delivery.md tells what to do about damaged rows.';

/** Its message names the delivery, so that each would be a cause of its own. */
const isDamage = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.code === 'store_damaged';

/** What an attempt says of the sender's own side; null where it says nothing. */
function ownFault({ outcome }: Attempt): string | null {
  if (outcome.ok) return null;
  if (outcome.failure === 'internal_error')
    return `an attempt failed on the sender's side: ${outcome.detail}`;
  return outcome.failure === 'endpoint_gone' ? 'the look-up found no endpoint for a delivery' : null;
}

/** A store's own words quote nothing; of other errors the message may, so only their names are said. */
function wordsOf(error: unknown): string {
  if (error instanceof StoreError) return error.message;
  if (!(error instanceof Error)) return `a ${typeof error}`;
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `${error.name}${code}`.slice(0, 100);
}

/** The part of Node's `process` that is used; elsewhere there is none. */
interface Warning {
  readonly process?: { readonly emitWarning?: (sentence: string, type: string) => void };
}

function emitWarning(sentence: string): void {
  const { process } = globalThis as Warning;
  if (typeof process?.emitWarning === 'function') process.emitWarning(sentence, 'HeadgateWarning');
  else console.warn(sentence);
}
