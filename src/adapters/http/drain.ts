/** Reads and discards response bodies, within limits. */
import type { Dispatcher } from 'undici/index.js';

/** Longest time to read one body. */
const MAX_BODY_MS = 1_000;
/** Most bodies that are read at a time, of all receivers. */
const MAX_BODIES = 256;

/** Reads and discards response bodies, so that their connections can be used for further requests. */
export interface Drains {
  /**
   * Begins to read the body of a response whose headers are complete.
   *
   * @returns A function to call when the body is complete or its connection is closed.
   */
  start(response: Dispatcher.DispatchController): () => void;
}

export function createDrains(): Drains {
  let bodies = 0;
  return {
    start(response) {
      const cut = (): void => response.abort(new Error('the rest of the body is not wanted'));
      if (bodies >= MAX_BODIES) {
        cut();
        return () => undefined;
      }
      bodies++;
      const timer = setTimeout(cut, MAX_BODY_MS).unref();
      return () => {
        clearTimeout(timer);
        bodies--;
      };
    },
  };
}
