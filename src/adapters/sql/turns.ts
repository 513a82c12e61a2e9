/** Whose turn it is among due deliveries: the endpoint with the fewest in flight, then the earliest due. */
import type { ClaimRequest } from '../../delivery/store.js';

/** A due delivery, as far as a claim looks at it before it is taken. Texts are as the tables hold them. */
export interface Due {
  /** What the tables know it by. */
  readonly id: string | number;
  readonly endpoint_id: string;
  /** Unix ms. */
  readonly due_at: number;
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
export function takeTurns(due: readonly Due[], { perEndpoint, inFlight }: Slots): readonly Due[] {
  const load = new Map(inFlight);
  const turns: { readonly due: Due; readonly turn: number }[] = [];
  for (const one of due) {
    const turn = load.get(one.endpoint_id) ?? 0;
    if (turn >= perEndpoint) continue;
    load.set(one.endpoint_id, turn + 1);
    turns.push({ due: one, turn });
  }
  return turns.sort((a, b) => a.turn - b.turn || a.due.due_at - b.due.due_at).map(({ due }) => due);
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
