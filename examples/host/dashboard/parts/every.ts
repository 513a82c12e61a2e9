/** Something that is done again and again while a component is shown and its page is not hidden. */
import { useEffect, useRef } from 'preact/hooks';

export function useEvery(ms: number, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, ms);
    return () => clearInterval(timer);
  }, [ms]);
}
