/**
 * Whether the service can be reached. A request that fails on its way says no; then a small one asks until it says yes.
 */
import { signal } from '@preact/signals';

/** False while the service cannot be reached. */
export const online = signal(navigator.onLine);

const ASK_MS = 2_000;
/** A service that hangs takes connections, and answers nothing. */
const ANSWER_MS = 2_000;
let timer: ReturnType<typeof setTimeout> | null = null;
let isAsking = false;
let losses = 0;

/**
 * A request is sent. Call the result when it is answered: an answer to what was sent before a loss does not undo the
 * loss.
 */
export function sending(): () => void {
  const before = losses;
  return () => {
    if (losses === before) online.value = true;
  };
}

/** Finds out whether it can be reached. */
export function suspect(): void {
  if (isAsking) return;
  isAsking = true;
  const reached = sending();
  void fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) })
    .then(
      () => true,
      () => false,
    )
    .then((isReached) => {
      isAsking = false;
      if (isReached) reached();
      else lost();
    });
}

/** A request has got no answer. */
export function lost(): void {
  losses++;
  online.value = false;
  timer ??= setTimeout(() => {
    timer = null;
    suspect();
  }, ASK_MS);
}

addEventListener('offline', lost);
addEventListener('online', suspect);
