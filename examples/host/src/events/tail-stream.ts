/**
 * One reader of the live tail. It is sent what matches its filter, as fast as it reads; the rest is skipped, and
 * counted.
 */
import { Streamed } from '../api/route.js';
import { MAX_STREAM_QUEUE } from '../api/sending.js';
import { SSE_HEADERS, sseComment, sseMessage } from '../api/sse.js';
import { fulfils } from './filter.js';
import type { Changed } from './changes.js';
import type { FoundItem } from './items.js';
import type { EventFilter, EventItem } from './routes.js';

/** The cursor of an item in the tail: the position of its batch, and its index in it. */
export interface TailCursor {
  readonly position: number;
  readonly index: number;
}

/** Shows an item to a caller, who may not see all of it. */
export type ShowItem = (item: EventItem) => EventItem;

/** Events that were decided together. */
export interface TailBatch {
  readonly position: number;
  /** Null for a batch that is kept no longer. */
  readonly items: readonly (FoundItem & { readonly index: number })[] | null;
}

/** Reads `Last-Event-ID`; null for one that no tail has given. */
export function tailCursorOf(text: string | null): TailCursor | null {
  const [, position, index] = /^(\d{1,15})\.(\d{1,5})$/.exec(text ?? '') ?? [];
  return position === undefined || index === undefined
    ? null
    : { position: Number(position), index: Number(index) };
}

/** Made for a request; ends when its reader goes away, or when somebody closes it. */
export class TailStream {
  readonly answer: Streamed;
  readonly #filter: EventFilter;
  readonly #shown: ShowItem;
  #last: TailCursor | null;
  readonly #ended: () => void;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #hasRoom: (() => void) | null = null;
  #isOpen = true;
  /** The number of items that were skipped and not yet reported; null if it is not known. */
  #skipped: number | null = 0;

  /**
   * @param last - The last item that the reader has seen; null: it begins with what is decided from now on.
   * @param ended - Called once, when the stream has ended.
   */
  constructor(
    { filter, shown }: { readonly filter: EventFilter; readonly shown: ShowItem },
    last: TailCursor | null,
    ended: () => void,
  ) {
    this.#filter = filter;
    this.#shown = shown;
    this.#last = last;
    this.#ended = ended;
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#hasRoom?.(),
      cancel: () => this.#end(),
    };
    const queue = new ByteLengthQueuingStrategy({ highWaterMark: MAX_STREAM_QUEUE });
    const body = new ReadableStream<Uint8Array>(source, queue);
    this.#controller.enqueue(sseComment('connected'));
    this.answer = new Streamed(body, SSE_HEADERS);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The reader has seen all batches up to this position; null: it wants none of them. */
  get resumesAfter(): number | null {
    return this.#last === null ? null : this.#last.position - 1;
  }

  /** The last item that the reader has seen was none of this tail; it begins with what is decided from now on. */
  beginNow(): void {
    this.#last = null;
  }

  /** Sends what the filter lets pass, as long as the reader keeps up. */
  take({ position, items }: TailBatch): void {
    if (items === null) this.lost();
    for (const found of items ?? []) {
      if (fulfils(found, this.#filter)) this.#offer(found, { position, index: found.index });
    }
  }

  /** Items are kept no longer that the reader has not seen. */
  lost(): void {
    this.#skipped = null;
  }

  /** Reports what was skipped as soon as there is room, so that a reader knows it even when nothing follows. */
  flush(): void {
    if (this.#skipped === 0 || this.#isFull()) return;
    const count = this.#skipped;
    this.#skipped = 0;
    this.#controller.enqueue(sseMessage('skipped', JSON.stringify({ count })));
  }

  /**
   * Reports which events have new attempts or replies. A reader that does not keep up is told that it has missed
   * something.
   */
  changed(events: Changed): void {
    if (this.#isFull()) this.lost();
    else this.#controller.enqueue(sseMessage('changed', JSON.stringify({ events })));
  }

  /** Shows that the connection lives, and how far it has come. Readers that do not keep up see other messages. */
  beat(position: number): void {
    if (!this.#isFull()) this.#controller.enqueue(sseMessage('beat', JSON.stringify({ position })));
  }

  /** Resolves when the reader has room for more, or is gone. */
  async room(): Promise<void> {
    if (!this.#isOpen || !this.#isFull()) return;
    await new Promise<void>((resolve) => (this.#hasRoom = resolve));
    this.#hasRoom = null;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#end();
    this.#controller.close();
  }

  #offer({ item }: FoundItem, { position, index }: TailCursor): void {
    if (this.#hasSeen({ position, index })) return;
    this.flush();
    if (!this.#isFull()) {
      this.#controller.enqueue(
        sseMessage('event', JSON.stringify(this.#shown(item)), `${position}.${index}`),
      );
    } else if (this.#skipped !== null) {
      this.#skipped++;
    }
  }

  #hasSeen({ position, index }: TailCursor): boolean {
    const last = this.#last ?? { position: 0, index: 0 };
    return position < last.position || (position === last.position && index <= last.index);
  }

  /** A stream that has ended takes nothing, either. */
  #isFull(): boolean {
    return !this.#isOpen || (this.#controller.desiredSize ?? 0) <= 0;
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#hasRoom?.();
    this.#ended();
  }
}
