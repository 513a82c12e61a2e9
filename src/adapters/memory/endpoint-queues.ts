/**
 * Chooses what a claim takes. Unfinished deliveries are in one queue for each endpoint, ordered by `due_at`, and queues
 * are ordered by their earliest delivery. A claim costs O((limit + endpoints in flight) × log n), however many wait.
 */
import type { Attempt, Delivery } from '../../delivery/delivery.js';
import { byteBudget, ByteRoom, inFlightByBytes, MAX_BODY_BYTES } from '../../delivery/byte-budget.js';
import type { ClaimRequest, ClaimResult } from '../../delivery/store.js';
import { Heap, type HeapItem } from '../heap.js';
import type { HeldBody } from './bodies.js';

/** A delivery in memory. While it is unfinished, it is an item of its queue's heap. */
export interface Row extends HeapItem {
  delivery: Delivery;
  attempts: readonly Attempt[];
  /** Empty once no attempt needs it any more. */
  body: HeldBody;
  /** Its index among the finished deliveries that are still known; −1 while it is unfinished or a dead letter. */
  finishedIndex: number;
}

/** The unfinished deliveries of an endpoint, earliest due first. A queue is never empty. */
interface EndpointQueue extends HeapItem {
  readonly endpointId: string;
  readonly rows: Heap<Row>;
}

const dueAt = (row: Row | undefined): number => row?.delivery.due_at ?? Infinity;
const headDueAt = (queue: EndpointQueue | undefined): number => dueAt(queue?.rows.peek());

/** A queue whose first delivery the current claim may take. */
interface Turn extends HeapItem {
  readonly queue: EndpointQueue;
  /** Deliveries in flight to its endpoint, including those of the claim. */
  readonly load: number;
}

/** Deliveries of one event share a body that is not stored. */
const identityOf = (body: HeldBody): unknown => (body.bytes === 'unstored' ? body.eventId : body);

const goesFirst = (a: Turn, b: Turn): boolean =>
  a.load === b.load ? headDueAt(a.queue) < headDueAt(b.queue) : a.load < b.load;

const loadOf = (queue: EndpointQueue, load: ReadonlyMap<string, number>): number =>
  load.get(queue.endpointId) ?? 0;

function pushTurn(
  turns: Heap<Turn>,
  queue: EndpointQueue,
  loads: ReadonlyMap<string, number>,
  request: ClaimRequest,
): void {
  const load = loadOf(queue, loads);
  if (load < request.perEndpoint && headDueAt(queue) <= request.at) {
    turns.push({ queue, load, heapIndex: -1 });
  }
}

/** The queues of one memory store. The ledger makes them and reports every change of a delivery's `due_at`. */
export class EndpointQueues {
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #byDue = new Heap<EndpointQueue>((a, b) => headDueAt(a) < headDueAt(b));

  /** Adds an unfinished row, or moves it to where its new `due_at` belongs. */
  schedule(row: Row): void {
    const queue = this.#queue(row.delivery.endpoint_id);
    if (row.heapIndex < 0) queue.rows.push(row);
    else queue.rows.update(row);
    if (queue.heapIndex < 0) this.#byDue.push(queue);
    else this.#byDue.update(queue);
  }

  /** Removes a finished row, and its queue with the last row. */
  remove(row: Row): void {
    const queue = this.#queue(row.delivery.endpoint_id);
    queue.rows.remove(row);
    if (queue.rows.size > 0) {
      this.#byDue.update(queue);
    } else {
      this.#byDue.remove(queue);
      this.#queues.delete(queue.endpointId);
    }
  }

  /**
   * Leases due rows for a claim.
   *
   * @param request - The limits of the claim.
   * @param lease - Leases a row, which moves its `due_at` to the end of the lease.
   * @returns The next instant, and whether bytes were short.
   */
  claim(request: ClaimRequest, lease: (row: Row) => void): Omit<ClaimResult, 'claims'> {
    const { bytes = byteBudget(MAX_BODY_BYTES), perEndpoint } = request;
    const load = inFlightByBytes(request.inFlight, perEndpoint, bytes);
    const room = new ByteRoom(bytes);
    const queues = this.#takeDue(request, load);
    const turns = new Heap<Turn>(goesFirst);
    for (const queue of queues) pushTurn(turns, queue, load, request);
    for (let taken = 0; taken < request.limit && !room.isCut;) {
      const queue = turns.pop()?.queue;
      const row = queue?.rows.peek();
      if (queue === undefined || row === undefined) break;
      if (!room.admit(queue.endpointId, identityOf(row.body), row.body.size)) continue;
      taken++;
      lease(row);
      queue.rows.update(row);
      load.set(queue.endpointId, loadOf(queue, load) + 1);
      pushTurn(turns, queue, load, request);
    }
    for (const queue of queues) this.#byDue.push(queue);
    const isFull = (queue: EndpointQueue): boolean =>
      loadOf(queue, load) >= perEndpoint || room.isClosed(queue.endpointId);
    return { nextDueAt: room.isCut ? null : this.#nextDueAt(isFull), isRestrained: room.isRestrained };
  }

  /**
   * Removes the queues that may have a turn. In order of their first deliveries, these are all queues up to the one
   * that makes `limit` idle ones, since a claim takes from an idle endpoint before it takes from any other.
   */
  #takeDue({ at, limit }: ClaimRequest, load: ReadonlyMap<string, number>): readonly EndpointQueue[] {
    const queues: EndpointQueue[] = [];
    let idle = 0;
    while (idle < limit && headDueAt(this.#byDue.peek()) <= at) {
      const queue = this.#byDue.pop();
      if (queue === undefined) break;
      queues.push(queue);
      if (loadOf(queue, load) === 0) idle++;
    }
    return queues;
  }

  /** Earliest `due_at` in a queue that is not full. */
  #nextDueAt(isFull: (queue: EndpointQueue) => boolean): number | null {
    const full: EndpointQueue[] = [];
    let queue = this.#byDue.peek();
    for (; queue !== undefined && isFull(queue); queue = this.#byDue.peek()) {
      this.#byDue.remove(queue);
      full.push(queue);
    }
    for (const each of full) this.#byDue.push(each);
    return queue === undefined ? null : headDueAt(queue);
  }

  #queue(endpointId: string): EndpointQueue {
    let queue = this.#queues.get(endpointId);
    if (queue === undefined) {
      queue = { endpointId, rows: new Heap<Row>((a, b) => dueAt(a) < dueAt(b)), heapIndex: -1 };
      this.#queues.set(endpointId, queue);
    }
    return queue;
  }
}
