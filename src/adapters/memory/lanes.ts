/**
 * Chooses what a claim takes. Unfinished deliveries are in one lane for each endpoint, ordered by `due_at`, and lanes are
 * ordered by their earliest delivery. A claim costs O((limit + endpoints in flight) × log n), however many wait.
 */
import type { Attempt, Delivery } from '../../delivery/delivery.js';
import { byteBudget, ByteRoom, inFlightByBytes, MAX_BODY_BYTES } from '../../delivery/byte-budget.js';
import type { ClaimRequest, ClaimResult } from '../../delivery/store.js';
import { Heap, type HeapItem } from '../heap.js';
import type { HeldBody } from './bodies.js';

/** A delivery in memory. While it is unfinished, it is an item of its lane's heap. */
export interface Row extends HeapItem {
  delivery: Delivery;
  attempts: readonly Attempt[];
  /** Empty once no attempt needs it any more. */
  body: HeldBody;
  /** Its index among the finished deliveries that are still known; −1 while it is unfinished or a dead letter. */
  finishedIndex: number;
}

/** The unfinished deliveries of an endpoint, earliest due first. A lane is never empty. */
interface Lane extends HeapItem {
  readonly endpointId: string;
  readonly rows: Heap<Row>;
}

const dueAt = (row: Row | undefined): number => row?.delivery.due_at ?? Infinity;
const headDueAt = (lane: Lane | undefined): number => dueAt(lane?.rows.peek());

/** A lane whose first delivery the current claim may take. */
interface Turn extends HeapItem {
  readonly lane: Lane;
  /** Deliveries in flight to its endpoint, including those of the claim. */
  readonly load: number;
}

/** Deliveries of one event share a body that is not stored. */
const identityOf = (body: HeldBody): unknown => (body.bytes === 'unstored' ? body.eventId : body);

const goesFirst = (a: Turn, b: Turn): boolean =>
  a.load === b.load ? headDueAt(a.lane) < headDueAt(b.lane) : a.load < b.load;

const loadOf = (lane: Lane, load: ReadonlyMap<string, number>): number => load.get(lane.endpointId) ?? 0;

function pushTurn(
  turns: Heap<Turn>,
  lane: Lane,
  loads: ReadonlyMap<string, number>,
  request: ClaimRequest,
): void {
  const load = loadOf(lane, loads);
  if (load < request.perEndpoint && headDueAt(lane) <= request.at) turns.push({ lane, load, heapIndex: -1 });
}

/** The lanes of one memory store. The ledger makes them and reports every change of a delivery's `due_at`. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #byDue = new Heap<Lane>((a, b) => headDueAt(a) < headDueAt(b));

  /** Adds an unfinished row, or moves it to where its new `due_at` belongs. */
  schedule(row: Row): void {
    const lane = this.#lane(row.delivery.endpoint_id);
    if (row.heapIndex < 0) lane.rows.push(row);
    else lane.rows.update(row);
    if (lane.heapIndex < 0) this.#byDue.push(lane);
    else this.#byDue.update(lane);
  }

  /** Removes a finished row, and its lane with the last row. */
  remove(row: Row): void {
    const lane = this.#lane(row.delivery.endpoint_id);
    lane.rows.remove(row);
    if (lane.rows.size > 0) {
      this.#byDue.update(lane);
    } else {
      this.#byDue.remove(lane);
      this.#lanes.delete(lane.endpointId);
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
    const lanes = this.#takeDue(request, load);
    const turns = new Heap<Turn>(goesFirst);
    for (const lane of lanes) pushTurn(turns, lane, load, request);
    for (let taken = 0; taken < request.limit && !room.isCut;) {
      const lane = turns.pop()?.lane;
      const row = lane?.rows.peek();
      if (lane === undefined || row === undefined) break;
      if (!room.admit(lane.endpointId, identityOf(row.body), row.body.size)) continue;
      taken++;
      lease(row);
      lane.rows.update(row);
      load.set(lane.endpointId, loadOf(lane, load) + 1);
      pushTurn(turns, lane, load, request);
    }
    for (const lane of lanes) this.#byDue.push(lane);
    const isFull = (lane: Lane): boolean =>
      loadOf(lane, load) >= perEndpoint || room.isClosed(lane.endpointId);
    return { nextDueAt: room.isCut ? null : this.#nextDueAt(isFull), isRestrained: room.isRestrained };
  }

  /**
   * Removes the lanes that may have a turn. In order of their first deliveries, these are all lanes up to the one that
   * makes `limit` idle ones, since a claim takes from an idle endpoint before it takes from any other.
   */
  #takeDue({ at, limit }: ClaimRequest, load: ReadonlyMap<string, number>): readonly Lane[] {
    const lanes: Lane[] = [];
    let idle = 0;
    while (idle < limit && headDueAt(this.#byDue.peek()) <= at) {
      const lane = this.#byDue.pop();
      if (lane === undefined) break;
      lanes.push(lane);
      if (loadOf(lane, load) === 0) idle++;
    }
    return lanes;
  }

  /** Earliest `due_at` in a lane that is not full. */
  #nextDueAt(isFull: (lane: Lane) => boolean): number | null {
    const full: Lane[] = [];
    let lane = this.#byDue.peek();
    for (; lane !== undefined && isFull(lane); lane = this.#byDue.peek()) {
      this.#byDue.remove(lane);
      full.push(lane);
    }
    for (const each of full) this.#byDue.push(each);
    return lane === undefined ? null : headDueAt(lane);
  }

  #lane(endpointId: string): Lane {
    let lane = this.#lanes.get(endpointId);
    if (lane === undefined) {
      lane = { endpointId, rows: new Heap<Row>((a, b) => dueAt(a) < dueAt(b)), heapIndex: -1 };
      this.#lanes.set(endpointId, lane);
    }
    return lane;
  }
}
