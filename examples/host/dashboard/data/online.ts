/** Whether the service can be reached. A request that fails on its way says no; then a small one asks until it says yes. */
import { signal } from '@preact/signals';

/** False while the service cannot be reached. */
export const online = signal(navigator.onLine);

const ASK_MS = 3_000;
let timer: ReturnType<typeof setTimeout> | null = null;

async function ask(): Promise<void> {
  timer = null;
  try {
    await fetch('/healthz', { cache: 'no-store' });
    online.value = true;
  } catch {
    lost();
  }
}

/** A request has got no answer. */
export function lost(): void {
  online.value = false;
  timer ??= setTimeout(() => void ask(), ASK_MS);
}

addEventListener('offline', lost);
addEventListener('online', () => void ask());
