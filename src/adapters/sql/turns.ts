/** Whose turn it is among due deliveries: the endpoint with the fewest in flight, then the earliest due. */
import type { ByteRoom } from '../../delivery/byte-budget.js';
import type { ClaimRequest } from '../../delivery/store.js';

/** A due delivery, as far as a claim looks at it before it is taken. Texts are as the tables hold them. */
export interface Due {
  /** What the tables know it by. */
  readonly id: string | number;
  readonly endpoint_id: string;
  /** Unix ms. */
  readonly due_at: number;
}

/** A due delivery that a claim may take. */
export interface Candidate extends Due {
  /** What the tables know its body by. */
  readonly body: string | number;
  /** What its body weighs, in bytes. */
  readonly bytes: number;
}

/** What a claim reads of a request. */
type Slots = Pick<ClaimRequest, 'perEndpoint' | 'inFlight'>;

/**
 * Deliveries in the order in which their endpoints get turns; those without a free slot are left out. It is what one would
 * get by giving out one slot after another, since each of an endpoint's deliveries comes one turn after the one before.
 *
 * @param due - In the order of their `due_at` within each endpoint, none twice.
 * @param slots - Free slots by endpoint.
 */
export function takeTurns<One extends Due>(
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
 * Those that there is room for, in their order.
 *
 * @param inTurn - In the order of turns.
 * @param room - What the claim may still bring; it is used up.
 * @param most - How many are wanted.
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

/** In flight at each endpoint once `claimed` are. */
export function loadAfter(
  inFlight: ReadonlyMap<string, number>,
  claimed: Iterable<Due>,
): Map<string, number> {
  const load = new Map(inFlight);
  for (const { endpoint_id } of claimed) load.set(endpoint_id, (load.get(endpoint_id) ?? 0) + 1);
  return load;
}
