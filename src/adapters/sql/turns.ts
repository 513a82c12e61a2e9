/** The order of turns among due deliveries: the endpoint with the fewest in flight, then the earliest due. */
import type { ByteRoom } from '../../delivery/byte-budget.js';
import type { ClaimRequest } from '../../delivery/store.js';

/** Columns of a due delivery that a claim reads before leasing. Texts are encoded by `storable`. */
export interface Due {
  /** The delivery's key in its table. */
  readonly id: string | number;
  readonly endpoint_id: string;
  /** Unix ms. */
  readonly due_at: number;
}

/** A due delivery that a claim may take. */
export interface Candidate extends Due {
  /** Identifies the body: its key in its table or, if it is not stored, a text with the event's id. */
  readonly body: string | number;
  /** Size of the body in bytes. */
  readonly bytes: number;
}

/** The first delivery of an endpoint that was not read: it is due at this time or later. */
export type Unread = Omit<Due, 'id'>;

/** Slots per endpoint, and slots in use. */
type Slots = Pick<ClaimRequest, 'perEndpoint' | 'inFlight'>;

/**
 * Sorts deliveries by the turns of their endpoints and leaves out those without a free slot. The order is the same as
 * by giving out one slot after another: each delivery of an endpoint comes one turn after the one before.
 *
 * @param due - In the order of their `due_at` within each endpoint, none twice.
 * @param slots - Free slots by endpoint.
 */
export function takeTurns<One extends Unread>(
  due: readonly One[],
  { perEndpoint, inFlight }: Slots,
): readonly One[] {
  const load = new Map(inFlight);
  const turns: { readonly due: One; readonly turn: number }[] = [];
  for (const one of due) {
    const turn = load.get(one.endpoint_id) ?? 0;
    if (turn >= perEndpoint) continue;
    load.set(one.endpoint_id, turn + 1);
    turns.push({ due: one, turn });
  }
  return turns.sort((a, b) => a.turn - b.turn || a.due.due_at - b.due.due_at).map(({ due }) => due);
}

/**
 * Splits deliveries where a claim must stop: before the first one that was not read.
 *
 * @param inTurn - In the order of turns.
 * @returns The deliveries before it, and whether there is one.
 */
export function upToUnread(inTurn: readonly (Candidate | Unread)[]): {
  readonly known: readonly Candidate[];
  readonly isCut: boolean;
} {
  const known: Candidate[] = [];
  for (const one of inTurn) {
    if (!('id' in one)) return { known, isCut: true };
    known.push(one);
  }
  return { known, isCut: false };
}

/**
 * The first `most` deliveries whose bodies the claim may still take, in their order.
 *
 * @param inTurn - In the order of turns.
 * @param room - Bytes that the claim may still take; reduced by each delivery.
 * @param most - Most deliveries to return.
 */
export function withinBytes(
  inTurn: readonly Candidate[],
  room: ByteRoom,
  most: number,
): readonly Candidate[] {
  const taken: Candidate[] = [];
  for (const one of inTurn) {
    if (taken.length === most || room.isCut) break;
    if (room.admit(one.endpoint_id, one.body, one.bytes)) taken.push(one);
  }
  return taken;
}

/** Deliveries in flight by endpoint, with `claimed` added. */
export function loadAfter(
  inFlight: ReadonlyMap<string, number>,
  claimed: Iterable<Due>,
): Map<string, number> {
  const load = new Map(inFlight);
  for (const { endpoint_id } of claimed) load.set(endpoint_id, (load.get(endpoint_id) ?? 0) + 1);
  return load;
}
