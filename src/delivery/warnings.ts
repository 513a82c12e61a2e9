/** What a scheduler says where its host does not listen: each cause once, as a warning of the process. */
import { StoreError } from '../errors.js';
import type { SchedulerCallbacks } from './callbacks.js';
import type { Attempt, Delivery } from './delivery.js';

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
  const say = (callback: keyof SchedulerCallbacks, cause: string, consequence: string): void => {
    if (listeners.some((on) => typeof on[callback] === 'function')) return;
    if (causes.has(cause) || causes.size === MOST_CAUSES) return;
    causes.add(cause);
    warn(`headgate: ${cause}. ${consequence} This is said once; give on: { ${callback} } to hear of each.`);
  };
  return {
    storeFailed: ({ error }) =>
      say('storeFailed', `the store failed: ${wordsOf(error)}`, 'Nothing is lost; it is asked again.'),
    released: (_, error) => {
      if (error === undefined) return;
      const cause = `the look-up of an endpoint, or its signer, threw ${wordsOf(error)}`;
      say('released', cause, 'Nothing was sent; the delivery rests for a minute.');
    },
    leaseLost: (_, attempt) => {
      // With an attempt, it is the store that failed, which is said already.
      if (attempt !== null) return;
      const cause = 'an attempt did not end before its lease';
      say('leaseLost', cause, 'It will be repeated. A look-up, a signer or the transport hangs.');
    },
    attempted: (delivery, attempt) => {
      const cause = ownFault(delivery, attempt);
      if (cause !== null) say('attempted', cause, 'After the last attempt, the delivery is a dead letter.');
    },
    callbackFailed: (error) =>
      say('callbackFailed', `a callback of the host threw ${wordsOf(error)}`, 'Deliveries go on.'),
  };
}

/** What an attempt says of the sender's own side; null where it says nothing. */
function ownFault({ endpoint_id }: Delivery, { outcome }: Attempt): string | null {
  if (outcome.ok) return null;
  if (outcome.failure === 'internal_error')
    return `an attempt failed on the sender's side: ${outcome.detail}`;
  return outcome.failure === 'endpoint_gone'
    ? `the look-up found no endpoint ${endpoint_id.slice(0, 100)}`
    : null;
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
