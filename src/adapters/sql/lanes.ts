/** Lanes of the backlog: endpoints with a backlog, ordered by the `due_at` of their earliest delivery. */
import type { ClaimRequest } from '../../delivery/store.js';
import { Heap, type HeapItem } from '../heap.js';

/** Most deliveries that a claim reads of one lane, or of those that are due after all lanes. */
export const MAX_AT_A_TIME = 1_024;

/** An endpoint with unfinished deliveries, and the `due_at` of the earliest. */
export interface Lane {
  readonly endpoint_id: string;
  /** Unix ms. */
  readonly due_at: number;
}

interface KnownLane extends HeapItem {
  readonly endpointId: string;
  /** No delivery of it is due before this time; Unix ms. */
  head: number;
}

/** Lanes by endpoint. The backlog makes a new object for each search. */
export class Lanes {
  readonly #byEndpoint = new Map<string, KnownLane>();
  readonly #byHead = new Heap<KnownLane>((a, b) => a.head < b.head);

  get size(): number {
    return this.#byEndpoint.size;
  }

  /** Adds a lane, or moves the head of the endpoint's lane back to an earlier `due_at`. */
  put({ endpoint_id: endpointId, due_at }: Lane): void {
    const known = this.#byEndpoint.get(endpointId);
    if (known !== undefined) {
      this.move(endpointId, Math.min(known.head, due_at));
      return;
    }
    const lane = { endpointId, head: due_at, heapIndex: -1 };
    this.#byEndpoint.set(endpointId, lane);
    this.#byHead.push(lane);
  }

  /**
   * Sets the head of a lane, if there is one.
   *
   * @param head - Unix ms; `undefined` removes the lane.
   */
  move(endpointId: string, head: number | undefined): void {
    const lane = this.#byEndpoint.get(endpointId);
    if (lane === undefined) return;
    if (head === undefined) {
      this.#byEndpoint.delete(endpointId);
      this.#byHead.remove(lane);
    } else {
      lane.head = head;
      this.#byHead.update(lane);
    }
  }

  /** The earliest head of a lane that is not full; null if all lanes are full. */
  earliest(isFull: (endpointId: string) => boolean): number | null {
    const full: KnownLane[] = [];
    for (
      let lane = this.#byHead.peek();
      lane !== undefined && isFull(lane.endpointId);
      lane = this.#byHead.peek()
    ) {
      this.#byHead.remove(lane);
      full.push(lane);
    }
    const head = this.#byHead.peek()?.head ?? null;
    for (const lane of full) this.#byHead.push(lane);
    return head;
  }

  /**
   * How many deliveries a claim should read of each lane: as many as it would take if each lane had enough, and one more,
   * for the lane's new head. An endpoint with bytes in flight may have no room for its next body, and then gives nothing: it
   * is read beside the others, and not instead of one of them.
   */
  share(request: ClaimRequest): ReadonlyMap<string, number> {
    const { limit, perEndpoint, inFlight, bytes } = request;
    const isSure = ({ endpointId }: KnownLane): boolean => !bytes?.inFlightByEndpoint.has(endpointId);
    const loadOf = ({ endpointId }: KnownLane): number => inFlight.get(endpointId) ?? 0;
    let left = limit;
    const lanes = this.#first(request)
      .filter((lane) => loadOf(lane) < perEndpoint)
      .sort((a, b) => loadOf(a) - loadOf(b) || a.head - b.head)
      .filter((lane) => left > 0 && (!isSure(lane) || left-- > 0));
    const sure = lanes.filter(isSure);
    const shareBy = (turn: number, lane: KnownLane): number => Math.max(0, turn - loadOf(lane));
    let turn = 0;
    for (let given = 0; lanes.length > 0 && given < limit && turn < perEndpoint; turn++) {
      given = sure.reduce((sum, lane) => sum + shareBy(turn + 1, lane), 0);
    }
    const countOf = (lane: KnownLane): number => Math.min(shareBy(turn, lane) + 1, MAX_AT_A_TIME);
    return new Map(lanes.map((lane) => [lane.endpointId, countOf(lane)]));
  }

  /** Lanes that may have a turn: in the order of their heads, up to the one that makes `limit` idle ones. */
  #first({ at, limit, inFlight }: ClaimRequest): readonly KnownLane[] {
    const lanes: KnownLane[] = [];
    let idle = 0;
    for (
      let lane = this.#byHead.peek();
      lane !== undefined && lane.head <= at && idle < limit;
      lane = this.#byHead.peek()
    ) {
      this.#byHead.remove(lane);
      lanes.push(lane);
      if (!inFlight.has(lane.endpointId)) idle++;
    }
    for (const lane of lanes) this.#byHead.push(lane);
    return lanes;
  }
}
