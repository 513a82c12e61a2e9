/** Queues of the backlog: endpoints with a backlog, ordered by the `due_at` of their earliest delivery. */
import type { ClaimRequest } from '../../delivery/store.js';
import { Heap, type HeapItem } from '../heap.js';

/** Most deliveries that a claim reads of one queue, or of those that are due after all queues. */
export const MAX_AT_A_TIME = 1_024;

/** An endpoint with unfinished deliveries, and the `due_at` of the earliest. */
export interface EndpointQueue {
  readonly endpoint_id: string;
  /** Unix ms. */
  readonly due_at: number;
}

/** The queues that a claim reads. */
export interface Share {
  /** Most deliveries read of each of these endpoints. */
  readonly behind: ReadonlyMap<string, number>;
  /** The first queue in turn that is not read. All others that are not read come after it; null if there is none. */
  readonly next: EndpointQueue | null;
}

interface KnownQueue extends HeapItem {
  readonly endpointId: string;
  /** No delivery of it is due before this time; Unix ms. */
  head: number;
}

/** Queues by endpoint. The backlog makes a new object for each search. */
export class EndpointQueues {
  readonly #byEndpoint = new Map<string, KnownQueue>();
  readonly #byHead = new Heap<KnownQueue>((a, b) => a.head < b.head);

  get size(): number {
    return this.#byEndpoint.size;
  }

  /** Adds a queue, or moves the head of the endpoint's queue back to an earlier `due_at`. */
  put({ endpoint_id: endpointId, due_at }: EndpointQueue): void {
    const known = this.#byEndpoint.get(endpointId);
    if (known !== undefined) {
      this.move(endpointId, Math.min(known.head, due_at));
      return;
    }
    const queue = { endpointId, head: due_at, heapIndex: -1 };
    this.#byEndpoint.set(endpointId, queue);
    this.#byHead.push(queue);
  }

  /**
   * Sets the head of a queue, if there is one.
   *
   * @param head - Unix ms; `undefined` removes the queue.
   */
  move(endpointId: string, head: number | undefined): void {
    const queue = this.#byEndpoint.get(endpointId);
    if (queue === undefined) return;
    if (head === undefined) {
      this.#byEndpoint.delete(endpointId);
      this.#byHead.remove(queue);
    } else {
      queue.head = head;
      this.#byHead.update(queue);
    }
  }

  /** The earliest head of a queue that is not full; null if all queues are full. */
  earliest(isFull: (endpointId: string) => boolean): number | null {
    const full: KnownQueue[] = [];
    for (
      let queue = this.#byHead.peek();
      queue !== undefined && isFull(queue.endpointId);
      queue = this.#byHead.peek()
    ) {
      this.#byHead.remove(queue);
      full.push(queue);
    }
    const head = this.#byHead.peek()?.head ?? null;
    for (const queue of full) this.#byHead.push(queue);
    return head;
  }

  /**
   * How many deliveries a claim should read of each queue: as many as it would take if each queue had enough, and one
   * more, for the queue's new head. An endpoint with bytes in flight may have no room for its next body, and then gives
   * nothing: it is read beside the others, and not instead of one of them.
   */
  share(request: ClaimRequest): Share {
    const { limit, perEndpoint, inFlight, bytes } = request;
    const isSure = ({ endpointId }: KnownQueue): boolean => !bytes?.inFlightByEndpoint.has(endpointId);
    const loadOf = ({ endpointId }: KnownQueue): number => inFlight.get(endpointId) ?? 0;
    let left = limit;
    const inTurn = this.#first(request)
      .filter((queue) => loadOf(queue) < perEndpoint)
      .sort((a, b) => loadOf(a) - loadOf(b) || a.head - b.head);
    const queues = inTurn.filter((queue) => left > 0 && (!isSure(queue) || left-- > 0));
    const next = inTurn[queues.length];
    const sure = queues.filter(isSure);
    const shareBy = (turn: number, queue: KnownQueue): number => Math.max(0, turn - loadOf(queue));
    let turn = 0;
    for (let given = 0; queues.length > 0 && given < limit && turn < perEndpoint; turn++) {
      given = sure.reduce((sum, queue) => sum + shareBy(turn + 1, queue), 0);
    }
    const countOf = (queue: KnownQueue): number => Math.min(shareBy(turn, queue) + 1, MAX_AT_A_TIME);
    return {
      behind: new Map(queues.map((queue) => [queue.endpointId, countOf(queue)])),
      next: next === undefined ? null : { endpoint_id: next.endpointId, due_at: next.head },
    };
  }

  /** Queues that may have a turn: in the order of their heads, up to the first idle one after `limit` idle ones. */
  #first({ at, limit, inFlight }: ClaimRequest): readonly KnownQueue[] {
    const queues: KnownQueue[] = [];
    let idle = 0;
    for (
      let queue = this.#byHead.peek();
      queue !== undefined && queue.head <= at && idle <= limit;
      queue = this.#byHead.peek()
    ) {
      this.#byHead.remove(queue);
      queues.push(queue);
      if (!inFlight.has(queue.endpointId)) idle++;
    }
    for (const queue of queues) this.#byHead.push(queue);
    return queues;
  }
}
