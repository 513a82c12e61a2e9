/** Waiting that can be ended. */
import { setMaxListeners } from 'node:events';

/** Resolves after a time, or as soon as one of the signals fires. */
export const pause = (ms: number, ...signals: readonly AbortSignal[]): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, signals.some(({ aborted }) => aborted) ? 0 : ms);
    for (const signal of signals) {
      // One signal may end many pauses, and Node warns from 11 listeners on.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', done, { once: true });
    }
  });
