/** An `EventSource` that says which session it means; that of the browser sends no headers. */
import { MEANT } from './root.js';
import { messagesOf } from './sse.js';

/** Made for one connection, like an `EventSource`; unlike one, it does not open the connection again. */
export class PortalSource extends EventTarget {
  /** `CLOSED` once there was an answer that is not a stream. */
  readyState: number = EventSource.CONNECTING;
  readonly #abort = new AbortController();

  constructor(url: string) {
    super();
    void this.#read(url);
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(url: string): Promise<void> {
    const { signal } = this.#abort;
    try {
      const { ok, body } = await fetch(url, {
        signal,
        headers: { ...MEANT, accept: 'text/event-stream' },
      });
      if (!ok || body === null) this.readyState = EventSource.CLOSED;
      else {
        for await (const { event, data, id } of messagesOf(body)) {
          if (event !== '') this.dispatchEvent(new MessageEvent(event, { data, lastEventId: id }));
        }
      }
    } catch {
      // The connection is broken, or was closed.
    }
    if (!signal.aborted) this.dispatchEvent(new Event('error'));
  }
}
