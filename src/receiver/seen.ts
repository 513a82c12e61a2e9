/** The check for deliveries that were seen before: its port, and the store in memory. */
import { OptionError } from '../errors.js';
import { checkNames } from '../signing/options.js';

/**
 * Remembers which events were handled. A key is the origin and the event's id, as `live evt_01J9Z2…`.
 *
 * A store for several processes is a table; docs/receivers.md has it for Postgres, SQLite and Redis.
 */
export interface SeenStore {
  /**
   * Called before the handler. True: the key is new, and now being handled. False: it was handled, so the delivery is
   * answered with 204. `'in_progress'`: somebody else is handling it, so it is answered with 503, and comes again.
   */
  begin(key: string): SeenAnswer | Promise<SeenAnswer>;
  /** Called after the handler. True: handled, for good. False: forget the key, so that a repeat is handled. */
  end(key: string, handled: boolean): void | Promise<void>;
}

/** The answer of a {@link SeenStore} about a key. */
export type SeenAnswer = boolean | 'in_progress';

/** Options of {@link createMemorySeenStore}. */
export interface MemorySeenOptions {
  /** Most keys that are kept, some 100 bytes each. Beyond it, the key that was handled first is forgotten. */
  readonly maxKeys: number;
}

/**
 * A store of seen keys in the memory of one process. Repeats are found until the process ends, or `maxKeys` others were
 * handled.
 *
 * @throws {@link OptionError} `invalid_option`
 */
export function createMemorySeenStore(options: MemorySeenOptions): SeenStore {
  checkNames('options', options, ['maxKeys']);
  const { maxKeys } = options;
  if (!Number.isInteger(maxKeys) || maxKeys < 1) {
    throw new OptionError('invalid_option', 'maxKeys: give a whole number, 1 or more');
  }
  /** Keys that were handled, oldest first. */
  const handled = new Set<string>();
  const inProgress = new Set<string>();
  return {
    begin(key) {
      if (handled.has(key)) return false;
      if (inProgress.has(key)) return 'in_progress';
      inProgress.add(key);
      return true;
    },
    end(key, isHandled) {
      inProgress.delete(key);
      if (!isHandled) return;
      handled.add(key);
      const [oldest] = handled;
      if (handled.size > maxKeys) handled.delete(oldest as string);
    },
  };
}
