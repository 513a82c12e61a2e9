/** The functions that a user has added to a client. */
import { OptionError } from '../errors.js';
import type { Tell } from './types.js';

/** A function for any type. */
export type AnyListener = (...about: readonly unknown[]) => unknown;

/** The functions of one client. */
export interface Listeners {
  /**
   * The functions of a type.
   *
   * @throws {@link OptionError} `invalid_option` for an unknown one.
   */
  readonly of: (type: string) => Set<AnyListener>;
  /** Calls functions. The fault of one, thrown or rejected, is a warning on the console, and disturbs nothing. */
  readonly tell: Tell;
}

const warn = (error: unknown): void => console.warn('headgate/client:', error);

/** The functions of a client that has none yet. */
export function createListeners(): Listeners {
  const byType = new Map(['event', 'gap', 'state', 'error'].map((type) => [type, new Set<AnyListener>()]));
  const of = (type: string): Set<AnyListener> => {
    const listeners = byType.get(type);
    if (listeners !== undefined) return listeners;
    throw new OptionError('invalid_option', `type: give one of ${[...byType.keys()].join(', ')}`);
  };
  return {
    of,
    tell(type, ...about) {
      const listeners = [...of(type)];
      if (type === 'error' && listeners.length === 0) warn(about[0]);
      for (const listener of listeners) {
        new Promise((resolve) => resolve(listener(...about))).catch(warn);
      }
    },
  };
}
