/** Endpoints with something behind, by when the earliest of it is due. */
import { Heap, type HeapItem } from '../../delivery/heap.js';
import type { ClaimRequest } from '../../delivery/store.js';

/** An endpoint with something unfinished, and when the earliest of it is due. */
export interface Lane {
  readonly endpoint_id: string;
  /** Unix ms. */
  readonly due_at: number;
}

interface KnownLane extends HeapItem {
  readonly endpointId: string;
  /** Nothing of it is due earlier; Unix ms. */
  head: number;
}

/** Lanes; each endpoint has one at most. */
export class Lanes {
  readonly #byEndpoint = new Map<string, KnownLane>();
  readonly #byHead = new Heap<KnownLane>((a, b) => a.head < b.head);

  get size(): number {
    return this.#byEndpoint.size;
  }

  /** Adds a lane, or lets an earlier delivery into the one that is there. */
  put({ endpoint_id: endpointId, due_at }: Lane): void {
    const known = this.#byEndpoint.get(endpointId);
    if (known !== undefined) {
      this.move(endpointId, Math.min(known.head, due_at));
      return;
    }
    const lane = { endpointId, head: due_at, slot: -1 };
    this.#byEndpoint.set(endpointId, lane);
    this.#byHead.push(lane);
  }

  /**
   * Gives a lane another head.
   *
   * @param head - Unix ms; without one, the lane is empty and goes.
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

  /** The earliest head of a lane that is not full; null when there is none. */
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
   * How many deliveries a claim is to read of which lane: as many as it would take if each had enough, and one more, which
   * says when the lane's next is due.
   */
  share(request: ClaimRequest): ReadonlyMap<string, number> {
    const { limit, perEndpoint, inFlight } = request;
    const loadOf = ({ endpointId }: KnownLane): number => inFlight.get(endpointId) ?? 0;
    const lanes = this.#first(request)
      .filter((lane) => loadOf(lane) < perEndpoint)
      .sort((a, b) => loadOf(a) - loadOf(b) || a.head - b.head)
      .slice(0, limit);
    const shareBy = (turn: number, lane: KnownLane): number => Math.max(0, turn - loadOf(lane));
    let turn = 0;
    for (let given = 0; lanes.length > 0 && given < limit && turn < perEndpoint; turn++) {
      given = lanes.reduce((sum, lane) => sum + shareBy(turn + 1, lane), 0);
    }
    return new Map(lanes.map((lane) => [lane.endpointId, shareBy(turn, lane) + 1]));
  }

  /** Lanes that may have a turn: in the order of their heads, until there are as many idle ones as the claim has places. */
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
