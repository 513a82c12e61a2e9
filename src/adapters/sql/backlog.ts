/**
 * What is due and could not be claimed at once, by endpoint: so that a claim need not read through a million deliveries
 * of an endpoint that is full to find the next one that is not.
 *
 * Most of the time nothing is behind: a claim reads the first few deliveries in the order of their `due_at`, and sees all
 * that are due. When more is due than it reads, the endpoints that have any are looked up once, and become lanes: from
 * then on, what was due by that instant is read lane by lane, and only what is due after it in order. Lanes say where to
 * look, never what is so: others claim from the same tables. What others make visible late, with a `due_at` of before, may
 * be in no lane; so all is forgotten every second or so, and found anew.
 */
import type { Delivery } from '../../delivery/delivery.js';
import type { ClaimRequest } from '../../delivery/store.js';
import { type Lane, Lanes } from './lanes.js';
import { storable, successor } from './text.js';
import type { Due } from './turns.js';

/** What a claim wants to read. */
export interface Look {
  /** What is due by now; Unix ms. */
  readonly at: number;
  /** Deliveries due after this instant are read in order; Unix ms. */
  readonly from: number;
  /** How many of those, at most. */
  readonly window: number;
  /** How many of each of these endpoints are read, of those due by `from` and by now. */
  readonly behind: ReadonlyMap<string, number>;
}

/** How many lanes are looked up at a time. */
export const LANES_AT_A_TIME = 1_000;

const PATIENCE_MS = 1_000;
/** A search is not repeated before as many times the time that it took. */
const PATIENCE_OF_SEARCH = 20;
const NOTHING_BEHIND = Number.MIN_SAFE_INTEGER;

interface Search {
  /** Unix ms. */
  readonly startedAt: number;
  readonly lanes: Lanes;
  /** The next lane to look for, or whichever comes after it. */
  from: string;
}

/** What a store knows from one claim to the next. Texts are as the tables hold them. */
export class Backlog {
  #from = NOTHING_BEHIND;
  #lanes = new Lanes();
  #search: Search | null = null;
  /** What this store itself has put behind since the last look: the earliest `due_at` by endpoint. */
  readonly #notes = new Map<string, number>();
  #foundAt = 0;
  #patience = PATIENCE_MS;

  /** Where the search for lanes goes on; null when none is under way. */
  get searchesFrom(): string | null {
    return this.#search?.from ?? null;
  }

  /** @param request - The claim that is to be made. */
  look(request: ClaimRequest): Look {
    const { at, limit } = request;
    const isOld = Math.abs(at - this.#foundAt) > this.#patience;
    // A search under way finds it all anew as it is.
    if (isOld && this.#search === null) this.forget();
    if (this.#search === null) this.#heedNotes();
    const window = Math.min(Math.max(2 * limit, 32), 1_024);
    return { at, from: this.#from, window, behind: this.#lanes.share(request) };
  }

  /**
   * More is due after `from` than was read: what was read joins what is behind.
   *
   * @param read - In order.
   * @returns False when that says nothing of the rest, which is to be searched for.
   */
  grow(read: readonly Due[]): boolean {
    // Of the last millisecond more may be there than was read.
    const from = (read.at(-1)?.due_at ?? this.#from) - 1;
    if (this.#from === NOTHING_BEHIND || from <= this.#from) return false;
    for (const one of read) {
      if (one.due_at <= from) this.#lanes.put(one);
    }
    this.#from = from;
    return true;
  }

  /** Begins to find out where all that is due by now belongs. */
  search(at: number): void {
    this.#search ??= { startedAt: at, lanes: new Lanes(), from: '' };
  }

  /**
   * Goes on with the search.
   *
   * @param lanes - The next ones in the order of their endpoints; fewer than {@link LANES_AT_A_TIME} are the last.
   * @param at - Now; Unix ms.
   */
  found(lanes: readonly Lane[], at: number): void {
    const search = this.#search;
    if (search === null) return;
    for (const lane of lanes) {
      if (lane.due_at <= search.startedAt) search.lanes.put(lane);
      search.from = successor(lane.endpoint_id);
    }
    if (lanes.length === LANES_AT_A_TIME) return;
    this.#search = null;
    this.#from = search.startedAt;
    this.#lanes = search.lanes;
    this.#foundAt = at;
    this.#patience = Math.max(PATIENCE_MS, PATIENCE_OF_SEARCH * (at - search.startedAt));
  }

  /**
   * Ends a claim.
   *
   * @param look - What it read.
   * @param heads - When the earliest delivery is due that it left behind, by endpoint; without one, nothing is left.
   */
  learn({ behind }: Look, heads: ReadonlyMap<string, number>): void {
    for (const endpoint of behind.keys()) this.#lanes.move(endpoint, heads.get(endpoint));
    if (this.#lanes.size === 0) this.#from = NOTHING_BEHIND;
  }

  /**
   * This store has made something due, which the lanes may not know.
   *
   * @param delivery - As it is now.
   */
  note({ endpoint_id, due_at }: Delivery): void {
    if (due_at === null || due_at > (this.#search?.startedAt ?? this.#from)) return;
    const endpoint = storable(endpoint_id);
    this.#notes.set(endpoint, Math.min(due_at, this.#notes.get(endpoint) ?? Infinity));
  }

  /** The earliest `due_at` behind at an endpoint that is not full; null when there is none. */
  earliest(isFull: (endpointId: string) => boolean): number | null {
    return this.#lanes.earliest(isFull);
  }

  /** As if nothing were known. */
  forget(): void {
    this.#from = NOTHING_BEHIND;
    this.#lanes = new Lanes();
    this.#search = null;
    this.#notes.clear();
  }

  #heedNotes(): void {
    for (const [endpoint_id, due_at] of this.#notes) {
      if (due_at <= this.#from) this.#lanes.put({ endpoint_id, due_at });
    }
    this.#notes.clear();
  }
}
