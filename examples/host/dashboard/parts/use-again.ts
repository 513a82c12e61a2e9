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
