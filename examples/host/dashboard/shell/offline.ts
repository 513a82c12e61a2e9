/**
 * Clicks that need the service while it is away: whatever does not say so itself is answered here, and never with
 * silence.
 */
import { useEffect } from 'preact/hooks';
import { ApiError, online, sentenceOf } from '../data/index.js';
import { toast } from '../ui/index.js';

/**
 * A link that the browser would follow out of the pages, or into a file: without a network it would lead to nothing.
 */
function leavesPages({ target, defaultPrevented }: MouseEvent): boolean {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  const isHere = link?.getAttribute('href')?.startsWith('#') === true;
  return link !== null && !isHere && !defaultPrevented && link.origin === location.origin;
}

function clicked(event: MouseEvent): void {
  if (online.value || !leavesPages(event)) return;
  event.preventDefault();
  toast('The service cannot be reached, so this link leads nowhere now. Try again when you are connected.', {
    tone: 'bad',
  });
}

function rejected(event: PromiseRejectionEvent): void {
  const reason: unknown = event.reason;
  if (!(reason instanceof TypeError) && !(reason instanceof ApiError)) return;
  toast(sentenceOf(reason), { tone: 'bad' });
}

/** Reloads the page. Without the service, the browser would show a page of its own instead. */
export function reloadPage(): void {
  if (online.value) location.reload();
  else toast('The service still cannot be reached.', { tone: 'bad' });
}

/** Answers such clicks for as long as the frame is shown. */
export function useAnswersOffline(): void {
  useEffect(() => {
    // After the router, which prevents the default of links within the pages.
    addEventListener('click', clicked);
    addEventListener('unhandledrejection', rejected);
    return () => {
      removeEventListener('click', clicked);
      removeEventListener('unhandledrejection', rejected);
    };
  }, []);
}
