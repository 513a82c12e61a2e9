/**
 * Back leads to where one was: the page is scrolled as it was left, and the row that was opened has the focus. The
 * browser cannot do this itself, since the rows come after the address has changed.
 */

/** How a page was left. Offsets are pixels. */
interface Left {
  readonly pageTop: number;
  /** The offset of the list that scrolls by itself, where there is one. */
  readonly listTop: number;
  /** The address that was opened from there. */
  readonly opened: string | null;
}

/** Slower pages are left where they are. */
const MOST_MS = 10_000;
/** Events by which a person takes over. */
const TAKES_OVER = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

const addressNow = (): string => location.pathname + location.search;
const scroller = (): Element | null => document.querySelector('#main .hg-virtual');

const leftAt = new Map<string, Left>();
let address = addressNow();
let opened: string | null = null;
/** The address that Back or Forward has led to, while one is there. */
let returnedTo: string | null = null;
let giveUp = (): void => undefined;

/** Whether Back or Forward has led to this page, so that it shows what it had. */
export const isReturning = (): boolean => returnedTo === addressNow();

/** @param row - The row that has the focus when somebody comes back, where nothing was clicked. */
function leave(row: string | null = null): void {
  leftAt.set(address, { pageTop: scrollY, listTop: scroller()?.scrollTop ?? 0, opened: opened ?? row });
  opened = null;
  giveUp();
}

/** Scrolls to where the page was left as soon as it is long enough again. True once nothing is left to do. */
function restored({ pageTop, listTop, opened: href }: Left): boolean {
  const list = scroller();
  if (list !== null) list.scrollTop = listTop;
  scrollTo(0, pageTop);
  const row =
    href === null ? null : document.querySelector<HTMLElement>(`#main a[href="${CSS.escape(href)}"]`);
  row?.focus({ preventScroll: true });
  const isThere = Math.abs(scrollY - pageTop) < 2 && Math.abs((list?.scrollTop ?? 0) - listTop) < 2;
  return isThere && (href === null || row !== null);
}

function restore(left: Left): void {
  const taken = new AbortController();
  const until = performance.now() + MOST_MS;
  const tryAgain = (): void => {
    if (taken.signal.aborted) return;
    if (restored(left) || performance.now() > until) taken.abort();
    else requestAnimationFrame(tryAgain);
  };
  giveUp = () => taken.abort();
  for (const type of TAKES_OVER) {
    addEventListener(type, giveUp, { signal: taken.signal, capture: true, passive: true });
  }
  requestAnimationFrame(tryAgain);
}

history.scrollRestoration = 'manual';

// Links, and the router's own function, change the address through these two.
const [pushState, replaceState] = [history.pushState.bind(history), history.replaceState.bind(history)];
history.pushState = (...state) => {
  leave();
  pushState(...state);
  address = addressNow();
  returnedTo = null;
};
history.replaceState = (...state) => {
  replaceState(...state);
  address = addressNow();
};

addEventListener(
  'click',
  ({ target }) => {
    const link = target instanceof Element ? target.closest('#main a[href]') : null;
    opened = link?.getAttribute('href') ?? null;
  },
  { capture: true },
);

// It is added before the listener of the router, so the page that is left is still there.
addEventListener('popstate', () => {
  leave(leftAt.get(address)?.opened);
  address = addressNow();
  returnedTo = address;
  const left = leftAt.get(address);
  if (left !== undefined) restore(left);
});
