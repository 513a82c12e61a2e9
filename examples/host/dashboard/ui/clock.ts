/**
 * The clock of the pages: one for all, so that all times on a page change together. It rests while the page is hidden.
 */
import { signal } from '@preact/signals';

/** Unix milliseconds, renewed every second. */
export const now = signal(Date.now());

const TICK_MS = 1_000;
const tick = (): void => {
  if (!document.hidden) now.value = Date.now();
};
setInterval(tick, TICK_MS);
document.addEventListener('visibilitychange', tick);
