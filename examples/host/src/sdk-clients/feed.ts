/**
 * The log of one project as its connections read it: the newest entries are shared, older ones are read a page at a
 * time.
 */
import type { Queries } from '../db/index.js';
import { type Entry, entryOf } from './entry.js';
import { type EntryRow, SELECT_ENTRIES, SELECT_HEAD } from './statements.js';

/** Positions that are no longer stored. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Entries in order. If `gap` is set, it precedes them. */
export interface Page {
  readonly gap: Gap | null;
  readonly entries: readonly Entry[];
}

const PAGE = 64;
/** Bytes of data in a page. It is small because a slow reader reads a page many times. */
const MAX_PAGE_BYTES = 1_048_576;
/** The newest entries that are kept for connections that keep up: at most this many, and this many characters. */
const MAX_RECENT = 256;
const MAX_RECENT_LENGTH = 4_194_304;

/** Made with the first connection of a project, and dropped with the last. */
export class Feed {
  readonly #db: Queries;
  readonly #project: string;
  #recent: Entry[] = [];
  #length = 0;
  /** Pages that are being read, by the position that they begin after: connections that want the same share one. */
  readonly #reading = new Map<number, Promise<Page>>();
  /** The highest position that this feed has read. */
  #head = 0;

  constructor(db: Queries, project: string) {
    this.#db = db;
    this.#project = project;
  }

  get head(): number {
    return this.#head;
  }

  /** The last position of the log now. */
  async readHead(): Promise<number> {
    const row = await this.#db.get<{ log_position: number }>(SELECT_HEAD, [this.#project]);
    return row?.log_position ?? 0;
  }

  /**
   * The entries after a position; an empty list at the end.
   *
   * @param position - The position of the last entry that the connection has.
   */
  after(position: number): Promise<Page> {
    const first = this.#recent[0]?.position ?? Infinity;
    const last = this.#recent.at(-1)?.position ?? 0;
    if (position + 1 >= first && position < last) {
      const start = position + 1 - first;
      return Promise.resolve({ gap: null, entries: this.#recent.slice(start, start + PAGE) });
    }
    const reading =
      this.#reading.get(position) ?? this.#read(position).finally(() => this.#reading.delete(position));
    this.#reading.set(position, reading);
    return reading;
  }

  /**
   * Positions have no gaps and are committed in order, so every position up to the head is there, or is gone for good.
   * The head is read first.
   */
  async #read(position: number): Promise<Page> {
    const head = await this.readHead();
    if (head <= position) return { gap: null, entries: [] };
    const values = [this.#project, position, head, PAGE, MAX_PAGE_BYTES];
    const rows = await this.#db.all<EntryRow>(SELECT_ENTRIES, values);
    const entries = rows.map(entryOf);
    const { gap, run } = firstRun(position, head, entries, entries.length === PAGE);
    this.#remember(run);
    return { gap, entries: run };
  }

  #remember(entries: readonly Entry[]): void {
    const [first] = entries;
    if (first === undefined) return;
    const last = this.#recent.at(-1)?.position ?? 0;
    if (first.position > last + 1) this.#clear();
    for (const entry of entries) {
      if (entry.position <= (this.#recent.at(-1)?.position ?? 0)) continue;
      this.#recent.push(entry);
      this.#length += entry.text.length;
      this.#head = Math.max(this.#head, entry.position);
    }
    while (
      this.#recent.length > MAX_RECENT ||
      (this.#length > MAX_RECENT_LENGTH && this.#recent.length > 1)
    ) {
      this.#length -= this.#recent.shift()?.text.length ?? 0;
    }
  }

  #clear(): void {
    this.#recent = [];
    this.#length = 0;
  }
}

/**
 * The entries up to the next gap, and the gap before them.
 *
 * @param after - Position before the first that was asked for.
 * @param head - Last position of the log.
 * @param isFull - True when more entries may follow these.
 */
export function firstRun<One extends { readonly position: number }>(
  after: number,
  head: number,
  entries: readonly One[],
  isFull: boolean,
): { readonly gap: Gap | null; readonly run: readonly One[] } {
  const [first] = entries;
  if (first === undefined) return { gap: isFull ? null : { from: after + 1, to: head }, run: [] };
  const end = entries.findIndex((entry, i) => entry.position !== first.position + i);
  const run = end < 0 ? entries : entries.slice(0, end);
  const gap = first.position > after + 1 ? { from: after + 1, to: first.position - 1 } : null;
  return { gap, run };
}
