/** Reads responses to their end after the status is known, so that connections can be used again. */
import type { Dispatcher } from 'undici/index.js';

/** Milliseconds that one response body may take. */
const MAX_MS = 1_000;
/** Bodies read at one time, over all receivers. */
const MAX_BODIES = 256;

/** Reads response bodies and throws them away, so that well-behaved connections can carry the next request. */
export interface Drains {
  /**
   * Takes over a response whose headers are complete.
   *
   * @returns To be called when the body is complete, or its connection gone.
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
      const timer = setTimeout(cut, MAX_MS).unref();
      return () => {
        clearTimeout(timer);
        bodies--;
      };
    },
  };
}
