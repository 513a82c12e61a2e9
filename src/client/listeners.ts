/** The functions that a user has added to a client. */
import { OptionError } from '../errors.js';
import { clientError, type ClientError } from './client-error.js';
import type { ClientEvent, Tell } from './types.js';

/** A function for any type. */
export type AnyListener = (...about: readonly unknown[]) => unknown;

/** The functions of one client. */
export interface Listeners {
  /**
   * @throws {@link OptionError} `invalid_option` for an unknown type, a value that is not a function, or a second
   *   handler.
   */
  readonly add: (type: string, listener: AnyListener) => void;
  /** @throws {@link OptionError} `invalid_option` for an unknown type. */
  readonly remove: (type: string, listener: AnyListener) => void;
  /** Whether there is a function for `event`. */
  readonly hasHandler: () => boolean;
  /** Calls the handler. Resolves to `null` if it succeeds, else to its error. */
  readonly handle: (received: ClientEvent) => Promise<ClientError | null>;
  /** Calls functions. The fault of one, thrown or rejected, is a warning on the console, and disturbs nothing. */
  readonly tell: Tell;
}

const warn = (error: unknown): void => console.warn('headgate/client:', error);

/** The functions of a client that has none yet. */
export function createListeners(): Listeners {
  const handlers = new Set<AnyListener>();
  const byType = new Map([
    ['event', handlers],
    ...['gap', 'state', 'error'].map((type) => [type, new Set<AnyListener>()] as const),
  ]);
  const of = (type: string): Set<AnyListener> => {
    const listeners = byType.get(type);
    if (listeners !== undefined) return listeners;
    throw new OptionError('invalid_option', `type: give one of ${[...byType.keys()].join(', ')}`);
  };
  return {
    add(type, listener) {
      const added = of(type);
      if (typeof listener !== 'function' || (added === handlers && added.size > 0)) {
        throw new OptionError(
          'invalid_option',
          `${type}: give one function${added === handlers ? ' that does it all' : ''}`,
        );
      }
      added.add(listener);
    },
    remove: (type, listener) => of(type).delete(listener),
    hasHandler: () => handlers.size > 0,
    async handle(received) {
      try {
        const [handler] = handlers;
        // If it was removed just now, this throws as well.
        await (handler as AnyListener)(received);
        return null;
      } catch (cause) {
        return clientError('handler_failed', received.event.id, cause);
      }
    },
    tell(type, ...about) {
      const listeners = [...of(type)];
      if (type === 'error' && listeners.length === 0) warn(about[0]);
      for (const listener of listeners) {
        new Promise((resolve) => resolve(listener(...about))).catch(warn);
      }
    },
  };
}
