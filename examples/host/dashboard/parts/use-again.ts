/** Doing something again after a while, for as long as the page is looked at. */
import { useEffect, useRef } from 'preact/hooks';

/**
 * Calls a function every so often while the component is shown and the page is not hidden.
 *
 * @param ms - Milliseconds between two calls; null while there is nothing to wait for.
 */
export function useAgain(run: () => void, ms: number | null): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (ms === null) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, ms);
    return () => clearInterval(timer);
  }, [ms]);
}

/** Knows whether something is being read, so that it is not asked again meanwhile: a slow answer would never come. */
export interface Reading {
  /** Wraps the function that reads. */
  readonly of: <Value>(
    load: (signal: AbortSignal) => Promise<Value>,
  ) => (signal: AbortSignal) => Promise<Value>;
  /** Wraps the function that asks for it again. */
  readonly unlessBusy: (run: () => void) => () => void;
}

export function useReading(): Reading {
  const count = useRef(0);
  return {
    of: (load) => async (signal) => {
      count.current++;
      try {
        return await load(signal);
      } finally {
        count.current--;
      }
    },
    unlessBusy: (run) => () => {
      if (count.current === 0) run();
    },
  };
}
