/** How each event is handled once, although it may come several times, and at the same time. */

/** What became of an event that came: it is handled by now, or somebody else is still at it. */
export type Handled = 'handled' | 'busy';

/**
 * Keeps in mind what was handled, in memory. In production this is a table with a unique key, written in the transaction of
 * the handler: then it survives a crash, and holds for all processes.
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

/** Seconds after which it makes sense to ask again. */
const RETRY_AFTER_SECONDS = 10;

/** A repeat of what is still being handled is not done: were it answered 2xx and the handler failed, the event would be lost. */
export const answers = {
  handled: { status: 204, headers: {} },
  busy: { status: 503, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
} as const;
