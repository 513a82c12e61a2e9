/** The list of events: its pages, and what comes meanwhile. New events never move what is being read: they wait. */
import { signal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import {
  api,
  apiThrough,
  currentProject,
  type EventItem,
  EVENTS_PAGE,
  isReturning,
  keep,
  keptValue,
  type LiveNews,
  useLive,
} from '../../data/index.js';
import { retrying } from '../../parts/retrying.js';
import { type Filter, listQuery, passes } from './filter.js';
import { merged, unseen, updated } from './merge.js';

/** If only the service knows what belongs to the list, or what happened to its events, it is asked this often. */
const ASK_MS = 1_500;
/** Beyond this many new events, reading the first page is less work than keeping them. */
const MOST_WAITING = 2_000;
const MOST_LIVE = 10_000;
/** A search that has found this many waits until somebody wants more. */
const MOST_FOUND = 2_000;
/** The most that one request may find. */
const MOST_OF_REQUEST = 200;

/** A page of the list, whichever route it is from. */
type EventPage = Awaited<ReturnType<typeof api.listEvents>> & { readonly scanned?: number };

/** The rows of a list when its page was left. */
interface LeftList {
  readonly items: readonly EventItem[];
  readonly next: string | null;
  readonly scannedTo: string | null;
  readonly scanned: number;
  readonly found: number;
}

/** Made for a filter, and dropped with it. */
export class EventList {
  readonly items = signal<readonly EventItem[] | null>(null);
  readonly error = signal<unknown>(null);
  /** New ones that are not shown yet, newest first. */
  readonly waiting = signal<readonly EventItem[]>([]);
  /** There are more new ones than are kept: showing them reads the list again. */
  readonly hasGap = signal(false);
  readonly isLoading = signal(false);
  readonly next = signal<string | null>(null);
  /** How far a search has looked, if it has more to look at. */
  readonly scannedTo = signal<string | null>(null);
  /** Events whose payload a search has looked at. */
  readonly scanned = signal(0);
  /** The number of searched events that match. The list may have more, which have come in since. */
  readonly found = signal(0);
  /** A search of payloads continues without scrolling. */
  readonly isSearching = signal(false);
  /** While one reads the first rows, new ones are put before them. */
  isAtTop = true;
  readonly #project: string;
  readonly #filter: Filter;
  readonly #key: string;
  #abort = new AbortController();
  /** Ends the search that is under way. */
  #searching = new AbortController();
  #live = 0;
  /** The list holds everything that was decided up to this position of the tail. */
  #position = -1;
  /** The list may lack events up to here, as the news said. */
  #missing = -1;
  #asking: ReturnType<typeof setTimeout> | undefined;

  constructor(project: string, filter: Filter) {
    this.#project = project;
    this.#filter = filter;
    this.#key = `events ${project} ${JSON.stringify(filter)}`;
  }

  start(): void {
    const left = isReturning() ? (keptValue(this.#key) as LeftList | undefined) : undefined;
    if (left === undefined) void this.reload();
    else this.#goOn(left);
  }

  stop(): void {
    const { value: items } = this.items;
    if (items !== null) {
      const [next, scannedTo] = [this.next.value, this.scannedTo.value];
      const [scanned, found] = [this.scanned.value, this.found.value];
      keep(this.#key, { items, next, scannedTo, scanned, found } satisfies LeftList);
    }
    this.#abort.abort();
    clearTimeout(this.#asking);
  }

  /** Shows the rows that were there when the page was left, and asks what has changed since. */
  #goOn({ items, next, scannedTo, scanned, found }: LeftList): void {
    this.items.value = items;
    this.next.value = next;
    this.scannedTo.value = scannedTo;
    this.scanned.value = scanned;
    this.found.value = found;
    void this.#refresh();
  }

  /** Reads the list from its beginning. */
  readonly reload = async (): Promise<void> => {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.isLoading.value = true;
    this.isSearching.value = false;
    this.error.value = null;
    try {
      const page = await this.#first(signal);
      this.items.value = page.items;
      this.#passed(page);
      this.waiting.value = [];
      this.hasGap.value = false;
      this.#live = 0;
      this.scanned.value = page.scanned ?? 0;
      this.found.value = page.items.length;
    } catch (error) {
      if (signal.aborted) return;
      this.error.value = error;
    }
    this.isLoading.value = false;
    if (this.error.value === null) {
      this.#fill();
      void this.search();
    }
  };

  /** Reads the next page. A page of a search may be short, or empty, and is then not the last one. */
  readonly more = async (): Promise<void> => {
    const { value: cursor } = this.next;
    if (cursor === null || this.isLoading.value || this.error.value !== null) return;
    const { signal } = this.#abort;
    this.isLoading.value = true;
    try {
      this.#add(await this.#page(cursor, signal));
    } catch (error) {
      if (signal.aborted) return;
      this.error.value = error;
    }
    this.isLoading.value = false;
  };

  /** The reader scrolls towards the end. A search of payloads continues without this, unless it was stopped. */
  readonly nearEnd = (): void => {
    if (!this.isOfPayloads) void this.more();
  };

  get isOfPayloads(): boolean {
    return this.#filter.match !== undefined;
  }

  /**
   * Searches payloads and shows what is found at once, until it is stopped, is at the end, or has found as many as the
   * page keeps at a time.
   */
  readonly search = async (): Promise<void> => {
    if (!this.isOfPayloads || this.isSearching.value || this.items.value === null) return;
    const own = (this.#searching = new AbortController());
    const signal = AbortSignal.any([own.signal, this.#abort.signal]);
    const most = this.items.value.length + MOST_FOUND;
    this.isSearching.value = true;
    try {
      while (this.next.value !== null && this.items.value.length < most) {
        await retrying(signal, (until) => this.#searchOn(until));
      }
    } catch (error) {
      if (!signal.aborted) this.error.value = error;
    }
    if (this.#searching === own) this.isSearching.value = false;
  };

  readonly stopSearch = (): void => {
    this.#searching.abort();
    this.isSearching.value = false;
  };

  /** One request, which reports pages while the service searches. */
  async #searchOn(signal: AbortSignal): Promise<void> {
    const add = (page: unknown): void => {
      if (!signal.aborted) this.#add(page as EventPage);
    };
    const body = { ...this.#searchBody(this.next.value ?? undefined), limit: MOST_OF_REQUEST };
    const headers = { accept: 'text/event-stream' };
    const { readingStreams } = await import('./late-search.js');
    const through = apiThrough((send) => readingStreams(send, add));
    add(await through.searchEvents({ project: this.#project, body, signal, headers }));
  }

  /** After a failure, goes on where it was. */
  readonly again = (): void => {
    this.error.value = null;
    if (this.items.value === null) void this.reload();
    else void (this.isOfPayloads ? this.search() : this.more());
  };

  /** Shows what has waited. */
  readonly showWaiting = (): void => {
    if (this.hasGap.value) {
      void this.reload();
      return;
    }
    this.items.value = merged(this.items.value ?? [], this.waiting.value);
    this.waiting.value = [];
  };

  /** Takes what the live tail gives. */
  take(news: LiveNews): void {
    if (news.kind === 'changed') {
      // An event that is not shown may have got the outcome that is asked for.
      if (this.isAtTop && (this.#filter.outcome !== undefined || this.#shows(news.events))) this.#ask();
      return;
    }
    if (news.kind !== 'events' || this.items.value === null) {
      this.#missing = Math.max(this.#missing, news.position ?? Infinity);
      this.#fill();
      return;
    }
    if (!this.#isMissing()) this.#position = Math.max(this.#position, news.position);
    const judged = news.items.map((item) => [item, passes(item, this.#filter)] as const);
    this.#arrived(judged.filter(([, isIn]) => isIn === true).map(([item]) => item));
    if (judged.some(([, isIn]) => isIn === null)) this.#ask();
  }

  /** Reads the first page again, soon. */
  #ask(): void {
    this.#asking ??= setTimeout(() => {
      this.#asking = undefined;
      void this.#refresh();
    }, ASK_MS);
  }

  /** Whether the first rows have one of the events. */
  #shows(events: readonly string[] | null): boolean {
    const shown = this.items.value?.slice(0, EVENTS_PAGE / 2) ?? [];
    return events === null || shown.some(({ id }) => events.includes(id));
  }

  /** Reads the list again if it may lack events. */
  #fill(): void {
    if (this.isLoading.value || !this.#isMissing()) return;
    if (this.items.value === null) void this.reload();
    else void this.#refresh();
  }

  #isMissing(): boolean {
    return this.#missing > this.#position;
  }

  #arrived(some: readonly EventItem[]): void {
    if (some.length === 0) return;
    const items = this.items.value ?? [];
    const fresh = unseen(items, some);
    if (this.isAtTop) {
      this.#live += fresh.length;
      if (this.#live > MOST_LIVE) void this.reload();
      else this.items.value = merged(items, some);
      return;
    }
    this.items.value = updated(items, some);
    const waiting = merged(this.waiting.value, fresh);
    this.hasGap.value ||= waiting.length > MOST_WAITING;
    this.waiting.value = waiting.slice(0, MOST_WAITING);
  }

  /** Reads the first page again: states may have changed, and events may have been missed. */
  async #refresh(): Promise<void> {
    const { signal } = this.#abort;
    try {
      const page = await this.#first(signal);
      const items = this.items.value ?? [];
      const isWhole =
        page.next === null || items.length === 0 || unseen(items, page.items).length < EVENTS_PAGE / 2;
      if (isWhole) {
        this.#forget(page);
        this.#arrived(page.items);
      } else if (this.isAtTop) await this.reload();
      else this.hasGap.value = true;
    } catch {
      // The list stays as it is; the banner of the frame says that the service is away.
    }
  }

  /** Takes away the rows that the first page would have if their outcome were still the one that is asked for. */
  #forget({ items: fresh, scanned_to: end }: EventPage): void {
    if (!this.isAtTop || this.#filter.outcome === undefined) return;
    const ids = new Set(fresh.map(({ id }) => id));
    this.items.value = (this.items.value ?? []).filter(
      ({ id, received_at: at }) => ids.has(id) || (end !== null && at <= end),
    );
  }

  /** The first page. It includes everything that was announced before it. */
  async #first(signal: AbortSignal): Promise<EventPage> {
    const missing = this.#missing;
    const page = await this.#page(undefined, signal);
    this.#position = Math.max(this.#position, page.tail_position ?? -1);
    if (this.#missing === missing) this.#missing = -1;
    return page;
  }

  #page(cursor: string | undefined, signal: AbortSignal): Promise<EventPage> {
    const project = this.#project;
    if (!this.isOfPayloads) {
      const paged = { limit: EVENTS_PAGE, ...(cursor !== undefined && { cursor }) };
      return api.listEvents({ project, query: { ...listQuery(this.#filter, Date.now()), ...paged }, signal });
    }
    const body = this.#searchBody(cursor);
    return retrying(signal, (until) => api.searchEvents({ project, body, signal: until }));
  }

  #searchBody(cursor: string | undefined) {
    const match = JSON.parse(this.#filter.match ?? '') as never;
    const query = listQuery(this.#filter, Date.now());
    return { ...query, match, limit: EVENTS_PAGE, ...(cursor !== undefined && { cursor }) };
  }

  /** Adds a later page. */
  #add(page: EventPage): void {
    if (page.items.length > 0) this.items.value = merged(this.items.value ?? [], page.items);
    this.#passed(page);
    this.scanned.value += page.scanned ?? 0;
    this.found.value += page.items.length;
  }

  #passed({ next, scanned_to }: EventPage): void {
    this.next.value = next;
    this.scannedTo.value = scanned_to;
  }
}

/** The list of a filter, live. */
export function useEventList(filter: Filter): EventList {
  const project = currentProject();
  const list = useMemo(() => new EventList(project, filter), [project, JSON.stringify(filter)]);
  // Before the skeleton is painted, so that the answer comes a frame sooner.
  useLayoutEffect(() => {
    list.start();
    return () => list.stop();
  }, [list]);
  useLive((message) => list.take(message));
  return list;
}
