import type { Dispatcher } from 'undici';

/** Bytes of one response body that are read before its connection is closed instead. */
const MAX_BYTES = 64 * 1024;
/** Milliseconds that one response body may take. */
const MAX_MS = 1_000;
/** Bodies read at one time, over all receivers. */
const MAX_BODIES = 256;

/** Reads response bodies and throws them away, so that well-behaved connections can carry the next request. */
export interface Drains {
  /** Takes over a response whose headers are complete. */
  start(response: Dispatcher.DispatchController): Drain;
}

/** One body being thrown away, as it came over the wire: nothing is decompressed. */
export interface Drain {
  /** Counts bytes that arrived. */
  take(bytes: number): void;
  /** The body is complete, or its connection gone. */
  end(): void;
}

export function createDrains(): Drains {
  let bodies = 0;
  return {
    start(response) {
      const cut = (): void => response.abort(new Error('the rest of the body is not wanted'));
      const timer = setTimeout(cut, MAX_MS).unref();
      let left = MAX_BYTES;
      if (++bodies > MAX_BODIES) cut();
      return {
        take(bytes) {
          left -= bytes;
          if (left < 0) cut();
        },
        end() {
          clearTimeout(timer);
          bodies--;
        },
      };
    },
  };
}
