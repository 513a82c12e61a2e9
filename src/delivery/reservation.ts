/**
 * New deliveries that a scheduler leases before they are stored, so that it need not claim what its host has just
 * written.
 */
import { ByteRoom, byteBudget, inFlightByBytes, MAX_BODY_BYTES } from './byte-budget.js';
import { type Delivery, isOrdered } from './delivery.js';
import type { Claim, ClaimRequest, Dispatch } from './store.js';

/**
 * Dispatches to enqueue, some of whose deliveries are leased to the scheduler. One call of `begin` or `release`
 * follows.
 */
export interface Reservation {
  /** The dispatches that were given, in their order: to be enqueued instead of those. */
  readonly dispatches: readonly Dispatch[];
  /** Whether some deliveries are not leased: wake the scheduler once they are stored. */
  readonly isPartial: boolean;
  /**
   * Begins the attempts, once the dispatches are stored and committed.
   *
   * @param added - The number that `enqueue` has returned. If the store knew some of the deliveries before, none is
   * begun: those that are new are sent when their lease ends.
   */
  begin(added: number): void;
  /**
   * Frees the slots: the dispatches were not stored. If they were all the same, they are sent when their leases end.
   */
  release(): void;
}

/** Options of a scheduler's `reserve`. */
export interface ReserveOptions {
  /**
   * Most deliveries to lease.
   * @defaultValue as many as there are free slots
   */
  readonly most?: number;
  /**
   * Called for each delivery that could be leased; `false` leaves it to claims, as for a customer who has enough slots.
   * @defaultValue every delivery may be leased
   */
  readonly may?: (delivery: Delivery) => boolean;
}

/** Deliveries of some dispatches that were leased. */
export interface LeasedDispatches {
  readonly dispatches: readonly Dispatch[];
  readonly claims: readonly Claim[];
  /** Endpoints of those that were not leased. */
  readonly left: readonly string[];
}

const countOf = (dispatches: readonly Dispatch[]): number =>
  dispatches.reduce((count, { deliveries }) => count + deliveries.length, 0);

/** A reservation of nothing. */
export const unreserved = (dispatches: readonly Dispatch[]): Reservation => ({
  dispatches,
  isPartial: countOf(dispatches) > 0,
  begin: () => undefined,
  release: () => undefined,
});

/** @param ends - The ends of the reservation, one of which is called at most once. */
export function createReservation(
  { dispatches, claims }: LeasedDispatches,
  ends: { readonly begin: () => void; readonly release: () => void },
): Reservation {
  const all = countOf(dispatches);
  let isOver = false;
  const end = (work: () => void): void => {
    if (!isOver) work();
    isOver = true;
  };
  return {
    dispatches,
    isPartial: claims.length < all,
    begin: (added) => end(added === all ? ends.begin : ends.release),
    release: () => end(ends.release),
  };
}

/**
 * Leases the first deliveries that are due and have a slot; the others stay as they are, and so do those with an
 * ordering key, since only the store knows which of them have to wait.
 *
 * @param request - Limits and lease; null if nothing can be leased.
 * @param behind - Endpoints that may have older deliveries.
 * @param may - The host's own condition, asked last.
 */
export function leaseSome(
  given: readonly Dispatch[],
  request: ClaimRequest | null,
  behind: ReadonlySet<string>,
  may: (delivery: Delivery) => boolean,
): LeasedDispatches {
  const claims: Claim[] = [];
  const left: string[] = [];
  const lease = request === null ? () => null : createLeasing(request, { behind, may, claims });
  const dispatches = given.map(({ body: bytes, deliveries, ...others }) => {
    // A copy, since the host may change its bytes before they are sent.
    const body = request === null ? bytes : new Uint8Array(bytes);
    const leased = deliveries.map((delivery) => {
      const taken = lease(delivery, body);
      if (taken === null) left.push(delivery.endpoint_id);
      return taken ?? delivery;
    });
    return { ...others, body, deliveries: leased };
  });
  return { dispatches, claims, left };
}

/** Conditions beside the request, and a list to which those that are leased are added. */
interface Leasing {
  readonly behind: ReadonlySet<string>;
  readonly may: (delivery: Delivery) => boolean;
  readonly claims: Claim[];
}

function createLeasing(
  { at, until, lease, limit, perEndpoint, inFlight, bytes = byteBudget(MAX_BODY_BYTES) }: ClaimRequest,
  { behind, may, claims }: Leasing,
): (delivery: Delivery, body: Uint8Array) => Delivery | null {
  const load = inFlightByBytes(inFlight, perEndpoint, bytes);
  const room = new ByteRoom(bytes);
  return (delivery, body) => {
    const { endpoint_id: endpoint, due_at: dueAt } = delivery;
    const used = load.get(endpoint) ?? 0;
    if (claims.length >= limit || dueAt === null || dueAt > at || behind.has(endpoint)) return null;
    if (isOrdered(delivery)) return null;
    if (used >= perEndpoint || !may(delivery) || !room.admit(endpoint, body, body.length)) return null;
    load.set(endpoint, used + 1);
    const leased: Delivery = { ...delivery, state: 'leased', lease, due_at: until };
    claims.push({ delivery: leased, body, dueAt });
    return leased;
  };
}
