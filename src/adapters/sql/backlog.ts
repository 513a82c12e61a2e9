/**
 * What is due and could not be claimed at once, by endpoint: so that a claim need not read through a million deliveries
 * of an endpoint that is full to find the next one that is not.
 *
 * Most of the time nothing is behind: a claim reads the first few deliveries in the order of their `due_at`, and sees all
 * that are due. When more is due than it reads, the endpoints that have any are looked up once, and become lanes: from
 * then on, what was due by that instant is read lane by lane, and only what is due after it in order. Lanes say where to
 * look, never what is so: others claim from the same tables. What becomes visible late, with a `due_at` of before, may be
 * in no lane; so all is forgotten every few seconds, and found anew.
 */
import { Heap, type HeapItem } from '../../delivery/heap.js';
import type { ClaimRequest } from '../../delivery/store.js';
import { successor } from './text.js';

/** An endpoint with something unfinished, and when the earliest of it is due. */
export interface Lane {
  readonly endpoint_id: string;
  /** Unix ms. */
  readonly due_at: number;
}

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

const PATIENCE_MS = 5_000;
/** A search is not repeated before as many times the time that it took. */
const PATIENCE_OF_SEARCH = 20;
const NOTHING_BEHIND = Number.MIN_SAFE_INTEGER;

interface KnownLane extends HeapItem {
  readonly endpointId: string;
  /** Nothing of it is due earlier; Unix ms. */
  head: number;
}

const noLanes = (): Heap<KnownLane> => new Heap((a, b) => a.head < b.head);

interface Search {
  /** Unix ms. */
  readonly startedAt: number;
  readonly lanes: Heap<KnownLane>;
  /** The next lane to look for, or whichever comes after it. */
  from: string;
}

/** What a store knows from one claim to the next. Texts are as the tables hold them. */
export class Backlog {
  #from = NOTHING_BEHIND;
  #lanes = noLanes();
  /** Those that the claim under way looks at. */
  #taken: readonly KnownLane[] = [];
  #search: Search | null = null;
  #foundAt = 0;
  #patience = PATIENCE_MS;

  /** Where the search for lanes goes on; null when none is under way. */
  get searchesFrom(): string | null {
    return this.#search?.from ?? null;
  }

  /** Begins a claim. It ends with {@link learn}, or, when it fails, with {@link forget}. */
  look(request: ClaimRequest): Look {
    const { at, limit } = request;
    if (Math.abs(at - this.#foundAt) > this.#patience) this.forget();
    this.#putBack(this.#taken);
    this.#taken = this.#takeFirst(request);
    const behind = shareOut(this.#taken, request);
    return { at, from: this.#from, window: Math.min(Math.max(2 * limit, 32), 1_024), behind };
  }

  /** More is due than was read: where it belongs is to be found out. */
  overflow(at: number): void {
    this.#search ??= { startedAt: at, lanes: noLanes(), from: '' };
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
    for (const { endpoint_id: endpointId, due_at: head } of lanes) {
      if (head <= search.startedAt) search.lanes.push({ endpointId, head, slot: -1 });
      search.from = successor(endpointId);
    }
    if (lanes.length === LANES_AT_A_TIME) return;
    this.#search = null;
    this.#from = search.startedAt;
    this.#lanes = search.lanes;
    this.#taken = [];
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
    for (const lane of this.#taken) lane.head = heads.get(lane.endpointId) ?? lane.head;
    this.#putBack(this.#taken.filter(({ endpointId }) => heads.has(endpointId) || !behind.has(endpointId)));
    this.#taken = [];
    if (this.#lanes.size === 0) this.#from = NOTHING_BEHIND;
  }

  /** As if nothing were known. */
  forget(): void {
    this.#from = NOTHING_BEHIND;
    this.#lanes = noLanes();
    this.#taken = [];
    this.#search = null;
  }

  /** The earliest head of a lane that is not full; null when there is none. */
  earliest(isFull: (endpointId: string) => boolean): number | null {
    const full: KnownLane[] = [];
    let lane = this.#lanes.peek();
    for (; lane !== undefined && isFull(lane.endpointId); lane = this.#lanes.peek()) {
      this.#lanes.remove(lane);
      full.push(lane);
    }
    this.#putBack(full);
    return lane?.head ?? null;
  }

  /** Takes out the lanes that may have a turn: in the order of their heads, until as many idle ones as there are places. */
  #takeFirst({ at, limit, inFlight }: ClaimRequest): readonly KnownLane[] {
    const taken: KnownLane[] = [];
    let idle = 0;
    while (idle < limit && (this.#lanes.peek()?.head ?? Infinity) <= at) {
      const lane = this.#lanes.pop();
      if (lane === undefined) break;
      taken.push(lane);
      if (!inFlight.has(lane.endpointId)) idle++;
    }
    return taken;
  }

  #putBack(lanes: readonly KnownLane[]): void {
    for (const lane of lanes) this.#lanes.push(lane);
  }
}

/**
 * How many deliveries to read of each lane: as many as turns could give it if all had enough, and one more, which says
 * when its next is due.
 */
function shareOut(
  lanes: readonly KnownLane[],
  { limit, perEndpoint, inFlight }: ClaimRequest,
): ReadonlyMap<string, number> {
  const loadOf = ({ endpointId }: KnownLane): number => inFlight.get(endpointId) ?? 0;
  const eager = lanes
    .filter((lane) => loadOf(lane) < perEndpoint)
    .sort((a, b) => loadOf(a) - loadOf(b) || a.head - b.head)
    .slice(0, limit);
  const turnsBy = (turn: number): number =>
    eager.reduce((sum, lane) => sum + Math.max(0, turn - loadOf(lane)), 0);
  let turn = Math.min(perEndpoint, ...eager.map((lane) => loadOf(lane) + 1));
  while (turn < perEndpoint && turnsBy(turn) < limit) turn++;
  return new Map(eager.map((lane) => [lane.endpointId, Math.max(0, turn - loadOf(lane)) + 1]));
}
