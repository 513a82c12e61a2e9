/** Media queries as state of a component. */
import { useEffect, useState } from 'preact/hooks';

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  const [isMatch, setMatch] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const changed = (): void => setMatch(list.matches);
    changed();
    list.addEventListener('change', changed);
    return () => list.removeEventListener('change', changed);
  }, [query]);
  return isMatch;
}

/** Whether the page is laid out for paper: what is folded away or rendered on demand is then shown whole. */
export const usePrint = (): boolean => useMedia('print');
