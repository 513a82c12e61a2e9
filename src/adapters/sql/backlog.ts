/**
 * The backlog: deliveries that are due and could not be claimed at once, by endpoint. It lets a claim find a free
 * endpoint without reading a million deliveries of an endpoint that is full.
 *
 * Most of the time there is no backlog: a claim reads the first few deliveries in the order of their `due_at`, which
 * are all that are due. When more are due than it reads, the store looks up once which endpoints have any. Each of
 * these gets a queue. From then on, claims read deliveries that were due by that instant (`from`) queue by queue, and
 * only later ones in order.
 *
 * Queues are hints about where to look, since other processes claim from the same tables, and deliveries are deleted.
 * The head of a queue may be earlier than its deliveries, but not later, so a claim stops before those that it did not
 * read. Another process may also make a delivery visible that was due before `from`, at an endpoint without a queue. So
 * queues are dropped every second or so and looked up again.
 */
import type { Delivery } from '../../delivery/delivery.js';
import type { ClaimRequest } from '../../delivery/store.js';
import { type EndpointQueue, EndpointQueues, MAX_AT_A_TIME, type Share } from './endpoint-queues.js';
import { storable, successor } from './text.js';
import type { Due } from './turns.js';

/** The rows that a claim reads. Of the queues, these are due by `from` and by `at`. */
export interface Look extends Share {
  /** Time of the claim; Unix ms. */
  readonly at: number;
  /** When the leases of the claim end; Unix ms. */
  readonly until: number;
  /** Deliveries that are due after this instant and by `at` are read in order; Unix ms. */
  readonly from: number;
  /** Most deliveries read in order. */
  readonly window: number;
}

/** Number of queues that one statement looks up. */
export const QUEUES_AT_A_TIME = 1_000;

/** Queues are looked up again after this time … */
const MIN_QUEUES_AGE_MS = 1_000;
/** … or after this many times the duration of the last search, if that is longer. */
const SEARCH_INTERVAL_FACTOR = 20;
/** While other workers claim, this many times as many deliveries are read as are asked for … */
const RIVALRY = 4;
/** … until this many claims in a row have lost nothing. */
const CLAIMS_TO_FORGET_RIVALS = 64;
const NOTHING_BEHIND = Number.MIN_SAFE_INTEGER;

interface Search {
  /** Unix ms. */
  readonly startedAt: number;
  readonly queues: EndpointQueues;
  /** The search goes on with the first endpoint id from this one on. */
  from: string;
}

/**
 * The backlog of one SQL store, kept from one claim to the next. Texts are encoded by `storable`. The claims of the
 * store call `look`, then `grow`, `search` and `found` where more is due than they read, then `learn`.
 */
export class Backlog {
  #from = NOTHING_BEHIND;
  #queues = new EndpointQueues();
  #search: Search | null = null;
  /** Deliveries that this store has made due since the last look: the earliest `due_at` by endpoint. */
  readonly #notes = new Map<string, number>();
  #foundAt = 0;
  /** How many times as many deliveries are read as are asked for: other workers lease some of them meanwhile. */
  #rivalry = 1;
  /** Claims in a row that lost nothing to other workers. */
  #unrivaled = 0;
  #maxQueuesAgeMs = MIN_QUEUES_AGE_MS;

  /** The endpoint id from which the search for queues goes on; null when no search is under way. */
  get searchesFrom(): string | null {
    return this.#search?.from ?? null;
  }

  /**
   * Begins a claim.
   *
   * @param request - The limits of the claim.
   * @returns The rows to read.
   */
  look(request: ClaimRequest): Look {
    const { at, until } = request;
    const limit = this.#rivalry * request.limit;
    const isOld = Math.abs(at - this.#foundAt) > this.#maxQueuesAgeMs;
    // A search under way will replace the queues.
    if (isOld && this.#search === null) this.forget();
    if (this.#search === null) this.#applyNotes();
    const window = Math.min(Math.max(2 * limit, 32), MAX_AT_A_TIME);
    return { at, until, from: this.#from, window, ...this.#queues.share({ ...request, limit }) };
  }

  /**
   * More is due after `from` than was read: the deliveries that were read join the backlog, and `from` moves past them.
   *
   * @param read - In order of `due_at`.
   * @returns False when `from` cannot move, so that a search is necessary.
   */
  grow(read: readonly Due[]): boolean {
    // More deliveries than were read may be due in the last millisecond.
    const from = (read.at(-1)?.due_at ?? this.#from) - 1;
    if (this.#from === NOTHING_BEHIND || from <= this.#from) return false;
    for (const one of read) {
      if (one.due_at <= from) this.#queues.put(one);
    }
    this.#from = from;
    return true;
  }

  /** Begins a search for the queues of all deliveries that are due by `at`. */
  search(at: number): void {
    this.#search ??= { startedAt: at, queues: new EndpointQueues(), from: '' };
  }

  /**
   * Continues the search.
   *
   * @param queues - The next queues in the order of their endpoints; fewer than {@link QUEUES_AT_A_TIME} end the
   *   search.
   * @param at - Time of the claim; Unix ms.
   */
  found(queues: readonly EndpointQueue[], at: number): void {
    const search = this.#search;
    if (search === null) return;
    for (const queue of queues) {
      if (queue.due_at <= search.startedAt) search.queues.put(queue);
      search.from = successor(queue.endpoint_id);
    }
    if (queues.length === QUEUES_AT_A_TIME) return;
    this.#search = null;
    this.#from = search.startedAt;
    this.#queues = search.queues;
    this.#foundAt = at;
    this.#maxQueuesAgeMs = Math.max(MIN_QUEUES_AGE_MS, SEARCH_INTERVAL_FACTOR * (at - search.startedAt));
  }

  /**
   * Ends a claim.
   *
   * @param look - The rows that it read.
   * @param heads - The earliest `due_at` that it left in each queue; a queue without one is empty.
   */
  learn({ behind }: Look, heads: ReadonlyMap<string, number>): void {
    for (const endpoint of behind.keys()) this.#queues.move(endpoint, heads.get(endpoint));
    if (this.#queues.size === 0) this.#from = NOTHING_BEHIND;
  }

  /**
   * Learns whether other workers claim at the same time. If they do, claims read more deliveries, so that each of them
   * finds some that nobody else has taken.
   *
   * @param hasLost - Whether another worker has leased deliveries that the claim had read and could not replace.
   */
  meet(hasLost: boolean): void {
    this.#unrivaled = hasLost ? 0 : this.#unrivaled + 1;
    if (hasLost) this.#rivalry = RIVALRY;
    else if (this.#unrivaled === CLAIMS_TO_FORGET_RIVALS) this.#rivalry = 1;
  }

  /**
   * Called when this store has enqueued or settled a delivery, whose endpoint may have no queue.
   *
   * @param delivery - The record after the change.
   */
  note({ endpoint_id, due_at }: Pick<Delivery, 'endpoint_id' | 'due_at'>): void {
    if (due_at === null || due_at > (this.#search?.startedAt ?? this.#from)) return;
    const endpoint = storable(endpoint_id);
    this.#notes.set(endpoint, Math.min(due_at, this.#notes.get(endpoint) ?? Infinity));
  }

  /** The earliest `due_at` in the backlog at an endpoint that is not full; null if all are full. */
  earliest(isFull: (endpointId: string) => boolean): number | null {
    return this.#queues.earliest(isFull);
  }

  /** Drops all queues, so that the next claim reads from the start. */
  forget(): void {
    this.#from = NOTHING_BEHIND;
    this.#queues = new EndpointQueues();
    this.#search = null;
    this.#notes.clear();
  }

  #applyNotes(): void {
    for (const [endpoint_id, due_at] of this.#notes) {
      if (due_at <= this.#from) this.#queues.put({ endpoint_id, due_at });
    }
    this.#notes.clear();
  }
}
