/** The port that every store of deliveries implements. */
import type { StoreError } from '../errors.js';
import type { ByteBudget } from './byte-budget.js';
import type { Attempt, Delivery } from './delivery.js';
import type { Exchange } from './transport.js';

/** Deliveries of one event that carry the same body. */
export interface Dispatch {
  /** The request body of each delivery, up to `MAX_BODY_BYTES`. */
  readonly body: Uint8Array;
  /** New deliveries, all of one event: pending, or leased already by a scheduler, until their `due_at`. */
  readonly deliveries: readonly Delivery[];
  /**
   * `false`: the store need not keep the body, since its option `readBodies` can read it again. Without that option,
   * the stores of this package refuse such a dispatch.
   * @defaultValue `true`
   */
  readonly storeBody?: boolean;
}

/**
 * Returns the bodies of deliveries that were enqueued with `storeBody: false`, or that redeliver one of those. Called
 * by `claim` after the deliveries were leased: if it rejects, they are sent when their leases end.
 *
 * @param deliveries - At least one; several may be of one event.
 * @returns For each in order, the bytes; `null` for a body that cannot be read, whose delivery is damaged.
 */
export type ReadBodies = (
  deliveries: readonly Delivery[],
) => readonly (Uint8Array | null)[] | Promise<readonly (Uint8Array | null)[]>;

/** Limits and lease of one claim. */
export interface ClaimRequest {
  /** Token of the leases that this claim gives; unique to it. */
  readonly lease: string;
  /** Time of the claim; only deliveries due by then are leased. Unix ms. */
  readonly at: number;
  /** When the leases end; Unix ms. */
  readonly until: number;
  /** Most deliveries to lease. */
  readonly limit: number;
  /** Most deliveries that one endpoint may have in flight with the caller. */
  readonly perEndpoint: number;
  /** Deliveries in flight with the caller now, by endpoint id; endpoints without any are left out. */
  readonly inFlight: ReadonlyMap<string, number>;
  /**
   * Limits on the bytes of bodies; see {@link ByteBudget}.
   * @defaultValue 32 MiB in all, an eighth of it for one endpoint, nothing in flight
   */
  readonly bytes?: ByteBudget;
}

/** A leased delivery. */
export interface Claim {
  /** In state `leased`, with the request's token; its `due_at` is the lease's end. */
  readonly delivery: Delivery;
  /** The request body of every attempt. */
  readonly body: Uint8Array;
  /** Its `due_at` before this claim, from which the attempt's lateness is measured; Unix ms. */
  readonly dueAt?: number;
}

/** Result of a claim. */
export interface ClaimResult {
  readonly claims: readonly Claim[];
  /**
   * The earliest `due_at` that is left, including ends of leases, at endpoints that after this claim have a free slot
   * and room for their next body; `null` when there is none. A store that would have to search long for it may return
   * an earlier instant, even if all endpoints are full, but never a later one. Unix ms.
   */
  readonly nextDueAt: number | null;
  /**
   * Whether due deliveries may be left although their endpoints have a free slot: because their bodies had no room, or
   * by a limit of the host's own. Then the scheduler asks again whenever an attempt ends. If `false`, it asks again
   * once a slot is free at an endpoint that had none, and at `nextDueAt`, which costs a busy store far fewer claims.
   * @defaultValue `true`
   */
  readonly isRestrained?: boolean;
  /**
   * Damage in rows that this claim leased, each as `store_damaged`. A damaged delivery that can still be sent is among
   * the claims; one that cannot stays leased until the lease ends.
   */
  readonly damaged?: readonly StoreError[];
}

/** The end of a lease. */
export interface Settlement {
  /** Token of the lease. */
  readonly lease: string;
  /** The complete new record; its id names the delivery. */
  readonly delivery: Delivery;
  /** The attempt to add to its history; `null` when the lease is given back unused. */
  readonly attempt: Attempt | null;
  /**
   * The endpoint's URL as it was used for the attempt; left out if nothing was sent. It may hold a customer's key: the
   * stores of this package keep what their option `keepUrl` makes of it, and without that option nothing.
   */
  readonly url?: string;
  /**
   * The request and the response of the attempt; left out unless the transport keeps exchanges. The stores of this
   * package keep what their option `keepExchange` makes of it.
   */
  readonly exchange?: Exchange;
}

/** Returns the part of an attempt's URL that a store keeps; `null` for nothing. */
export type KeepUrl = (url: string) => string | null;

/**
 * Makes the text that a store keeps of an attempt's exchange; `null` for nothing. Seal it: the headers of the request
 * hold its signature, and the response may hold anything.
 *
 * @param exchange - That of `settlement.attempt`, which is not `null`.
 */
export type KeepExchange = (exchange: Exchange, settlement: Settlement) => string | null;

/** A delivery with all of its attempts. */
export interface DeliveryHistory {
  readonly delivery: Delivery;
  /** Every recorded attempt in order; at most 100. */
  readonly attempts: readonly Attempt[];
}

/**
 * Stores deliveries. Every method is atomic; none retries or reads the clock. Each rejects when the store cannot be
 * reached; then either nothing has happened or all of it has. `deliveryStoreContract` in `headgate/testing` tests all
 * that is required here.
 */
export interface DeliveryStore {
  /**
   * Adds deliveries. A delivery whose id is known, in any state, is skipped, so enqueueing twice is harmless. A
   * delivery keeps the body that it was first enqueued with for as long as it is unfinished or failed; the bytes are
   * copied. Deliveries of one event may share a stored body only if the bytes are equal: a body from before a rule was
   * edited may hold what that rule redacts now.
   *
   * A live delivery with an ordering key is stored as `waiting`, without its lease, if there is another delivery to its
   * endpoint with the same key that is unfinished, or is a dead letter with `holds_key`, or the unfinished redelivery
   * of such a letter. As soon as there is none, the waiting delivery that was enqueued first becomes `pending`, in the
   * same transaction: it is due when the one before it finished, or at its own `due_at` if that is later. A store that
   * ignores keys sends deliveries in any order; `orderingContract` in `headgate/testing` tests one that does not.
   *
   * @param dispatches - Any number; all are added or none.
   * @returns The number of new deliveries.
   * @throws {@link OptionError} (as a rejection) `body_too_large` for a body of more than `MAX_BODY_BYTES`, and
   * `invalid_option` for an invalid dispatch.
   */
  enqueue(dispatches: readonly Dispatch[]): Promise<number>;
  /**
   * Leases due deliveries: pending ones, and leased ones whose lease has ended, but none that is waiting. Two claims
   * never share one.
   *
   * Endpoints take turns. The next turn is for the endpoint with the fewest deliveries in flight, including those of
   * this claim, and among equals for the one with the earliest due delivery. In its turn an endpoint gives its earliest
   * due delivery. So an endpoint that has a backlog or hangs does not delay others. `ByteRoom` decides for each
   * delivery whether `bytes` has room for it.
   *
   * @param request - Limits and lease.
   */
  claim(request: ClaimRequest): Promise<ClaimResult>;
  /**
   * Ends leases by writing the records, each where its delivery still has that lease. A lease that has ended counts
   * until another claim takes the delivery. A settlement that is already recorded is not written again but reported as
   * recorded, so that one whose answer was lost can be repeated. It is already recorded when its attempt is in the
   * delivery's history. A settlement without an attempt is already recorded when the delivery is pending with the same
   * `due_at` and number of attempts.
   *
   * @param settlements - Any number, at most one for each delivery.
   * @returns For each in order, whether it is recorded; `false` if another claim has taken the delivery.
   */
  settle(settlements: readonly Settlement[]): Promise<readonly boolean[]>;
  /**
   * One delivery with its attempts; `null` when the store does not know it, or does not know it any more.
   *
   * @param id - A delivery's id.
   */
  get(id: string): Promise<DeliveryHistory | null>;
}
