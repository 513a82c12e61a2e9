/** Reads the decided events of a project in the order of commits, once for all readers of its tail. */
import type { Queries } from '../db/index.js';
import { BATCH_SLOTS } from '../stored/decided-batch.js';
import { type FoundItem, itemsOf } from './items.js';
import { type BatchRow, SELECT_BATCHES, SELECT_BATCH_HEADS, type BatchHeadRow } from './statements.js';
import type { TailBatch, TailStream } from './tail-stream.js';

/** Batches that are read at a time; each has at most fifty events. */
const MAX_BATCHES = 8;

/** Made with the first reader of a project, and dropped with the last. */
export class TailFeed {
  readonly #db: Queries;
  readonly #project: string;
  readonly #streams = new Set<TailStream>();
  /** All batches up to here, and none after it, have been given to the readers. Null until the first read. */
  #position: number | null = null;
  #reading: Promise<void> | null = null;
  #isStale = false;

  constructor(db: Queries, project: string) {
    this.#db = db;
    this.#project = project;
  }

  get streams(): ReadonlySet<TailStream> {
    return this.#streams;
  }

  /** Whether a head is beyond what was read. */
  isBehind(head: number): boolean {
    return this.#position === null || head > this.#position;
  }

  /** Reads what is new, and gives it to the readers. Calls during a read share the next one. */
  async advance(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    await this.#reading;
  }

  /**
   * Adds a reader, once it has been given what was decided since it left: as fast as it reads. Called right after
   * `advance`: from the position of then on, a new reader misses nothing, whatever is decided while this waits.
   */
  async join(stream: TailStream): Promise<void> {
    if ((stream.resumesAfter ?? 0) >= this.#now) stream.beginNow();
    let position = stream.resumesAfter ?? this.#now;
    await this.advance();
    while (stream.isOpen && position < this.#now) {
      if (this.#now - position > BATCH_SLOTS) {
        stream.lost();
        position = this.#now - BATCH_SLOTS;
      }
      for await (const batch of this.#batches(position, this.#now)) {
        stream.take(batch);
        ({ position } = batch);
      }
      await stream.room();
    }
    // No other code runs between the last comparison and this.
    if (!stream.isOpen) return;
    this.#streams.add(stream);
    stream.beat(this.#now);
  }

  /** Tells the readers how far they have come. */
  beat(): void {
    for (const stream of this.#streams) stream.beat(this.#now);
  }

  leave(stream: TailStream): void {
    this.#streams.delete(stream);
  }

  get #now(): number {
    return this.#position ?? 0;
  }

  async #read(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const values = [JSON.stringify([this.#project])];
      const head = (await this.#db.get<BatchHeadRow>(SELECT_BATCH_HEADS, values))?.batch_position ?? 0;
      this.#position ??= head;
      await this.#giveUpTo(head);
    }
  }

  async #giveUpTo(head: number): Promise<void> {
    if (head - this.#now > BATCH_SLOTS) {
      for (const stream of this.#streams) stream.lost();
      this.#position = head - BATCH_SLOTS;
    }
    while (this.#now < head) {
      for await (const batch of this.#batches(this.#now, head)) {
        for (const stream of this.#streams) stream.take(batch);
        this.#position = batch.position;
      }
    }
  }

  /** The next batches after a position, at most up to another. */
  async *#batches(after: number, upTo: number): AsyncGenerator<TailBatch> {
    const last = Math.min(upTo, after + MAX_BATCHES);
    const positions = Array.from({ length: last - after }, (_, i) => after + 1 + i);
    const slots = positions.map((position) => ({ slot: position % BATCH_SLOTS }));
    const rows = await this.#db.all<BatchRow>(SELECT_BATCHES, [this.#project, JSON.stringify(slots)]);
    const known = new Map(rows.map((row) => [row.position, row]));
    for (const position of positions) {
      const row = known.get(position);
      yield { position, items: row === undefined ? null : await this.#itemsOf(row) };
    }
  }

  /** Reads the items of a batch, a few MiB of decisions at a time. */
  async #itemsOf({ event_ids }: BatchRow): Promise<TailBatch['items']> {
    const ids = JSON.parse(event_ids) as readonly string[];
    const indexes = new Map(ids.map((id, index) => [id, index]));
    const all: FoundItem[] = [];
    for (let rest: readonly string[] = [...ids].sort().reverse(); rest.length > 0;) {
      const items = await itemsOf(this.#db, this.#project, rest);
      all.push(...items.found);
      ({ rest } = items);
    }
    return all
      .map((found) => ({ ...found, index: indexes.get(found.item.id) ?? 0 }))
      .sort((a, b) => a.index - b.index);
  }
}
