/** Handles each event once, even when several deliveries of it arrive, also at the same time. */

/** State of a received event: handled, or still being handled by another request. */
export type Handled = 'handled' | 'busy';

/**
 * Remembers handled events in memory. In production, use a table with a unique key, written in the handler's
 * transaction: it survives a crash and holds for all processes.
 */
export function createOnce(): (key: string, handle: () => Promise<void>) => Promise<Handled> {
  const seen = new Map<string, Handled>();
  return async (key, handle) => {
    const known = seen.get(key);
    if (known !== undefined) return known;
    seen.set(key, 'busy');
    try {
      await handle();
    } catch (error) {
      seen.delete(key); // a repeat may try again
      throw error;
    }
    seen.set(key, 'handled');
    return 'handled';
  };
}

/** Seconds until the sender should retry. */
const RETRY_AFTER_SECONDS = 10;

/** A repeat of an event still being handled gets no 2xx: if the handler then failed, the event would be lost. */
export const answers = {
  handled: { status: 204, headers: {} },
  busy: { status: 503, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
} as const;
