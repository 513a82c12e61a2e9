/** The connection to the live tail: one `EventSource`, opened again whenever it breaks or is silent. */
import { api, type Output } from './api.js';
import { PortalSource } from './portal-source.js';
import { isPortal } from './root.js';

export type EventItem = Output<'listEvents'>['items'][number];

/** A message of a connection. Its position is that of the tail, up to which everything has been given. */
export type TailMessage =
  | { readonly kind: 'events'; readonly items: readonly EventItem[]; readonly position: number }
  /** Events that have new attempts or replies; null: too many to name. */
  | { readonly kind: 'changed'; readonly events: readonly string[] | null }
  | { readonly kind: 'beat'; readonly position: number }
  /** The service left out events, because the page did not keep up. */
  | { readonly kind: 'skipped' }
  | { readonly kind: 'broken' };

/** Messages are collected for this long, so that hundreds a second do not each render a page. */
const COLLECT_MS = 200;
const RETRY_MS = 2_000;

/** Created by the tab that holds the connection; ends with `close`. */
export class TailConnection {
  readonly #project: string;
  readonly #give: (message: TailMessage) => void;
  #source: EventSource | PortalSource | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #collecting: ReturnType<typeof setTimeout> | undefined;
  #collected: EventItem[] = [];
  #position = 0;

  constructor(project: string, give: (message: TailMessage) => void) {
    this.#project = project;
    this.#give = give;
  }

  /** Opens a connection, and closes one that may be dead. */
  readonly open = (): void => {
    this.close();
    const url = `/projects/${this.#project}/tail`;
    const source = isPortal ? new PortalSource(url) : new EventSource(url);
    this.#source = source;
    this.#listen(source);
  };

  #listen(source: EventTarget & Pick<EventSource, 'readyState'>): void {
    const on = (name: string, give: (message: MessageEvent<string>) => void): void =>
      source.addEventListener(name, (event) => give(event as MessageEvent<string>));
    on('event', ({ data, lastEventId }) => {
      this.#collected.push(JSON.parse(data) as EventItem);
      this.#position = Number.parseInt(lastEventId, 10);
      this.#collecting ??= setTimeout(this.#flush, COLLECT_MS);
    });
    on('beat', ({ data }) => {
      this.#flush();
      this.#give({ kind: 'beat', ...(JSON.parse(data) as { readonly position: number }) });
    });
    on('changed', ({ data }) =>
      this.#give({ kind: 'changed', ...(JSON.parse(data) as { readonly events: readonly string[] | null }) }),
    );
    on('skipped', () => this.#give({ kind: 'skipped' }));
    on('error', () => this.#broke(source.readyState === EventSource.CLOSED));
  }

  readonly close = (): void => {
    this.#flush();
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  };

  /** @param isAnswered - There was an answer that is not a stream: perhaps the session has ended. */
  #broke(isAnswered: boolean): void {
    this.close();
    this.#give({ kind: 'broken' });
    this.#retry = setTimeout(this.open, RETRY_MS);
    // This request finds out whether somebody is signed in.
    if (isAnswered) api.getPortal({ project: this.#project }).catch(() => undefined);
  }

  readonly #flush = (): void => {
    clearTimeout(this.#collecting);
    this.#collecting = undefined;
    const items = this.#collected;
    this.#collected = [];
    if (items.length > 0) this.#give({ kind: 'events', items, position: this.#position });
  };
}
