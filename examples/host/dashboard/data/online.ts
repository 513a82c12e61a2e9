/** Whether the service can be reached. A request that fails on its way says no; then a small one asks until it says yes. */
import { signal } from '@preact/signals';

/** False while the service cannot be reached. */
export const online = signal(navigator.onLine);

const ASK_MS = 2_000;
/** A service that hangs takes connections, and answers nothing. */
const ANSWER_MS = 2_000;
let timer: ReturnType<typeof setTimeout> | null = null;
let isAsking = false;

/** Finds out whether it can be reached. */
export function suspect(): void {
  if (isAsking) return;
  isAsking = true;
  void fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) })
    .then(
      () => true,
      () => false,
    )
    .then((isReached) => {
      isAsking = false;
      if (isReached) online.value = true;
      else lost();
    });
}

/** A request has got no answer. */
export function lost(): void {
  online.value = false;
  timer ??= setTimeout(() => {
    timer = null;
    suspect();
  }, ASK_MS);
}

addEventListener('offline', lost);
addEventListener('online', suspect);
