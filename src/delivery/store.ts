/** Where deliveries live: the port that every store implements. */
import type { StoreError } from '../errors.js';
import type { ByteBudget } from './byte-budget.js';
import type { Attempt, Delivery } from './delivery.js';

/** Deliveries of one event that carry the same body. */
export interface Dispatch {
  /** The request body of each delivery, up to `MAX_BODY_BYTES`. */
  readonly body: Uint8Array;
  /** New deliveries, all of one event. */
  readonly deliveries: readonly Delivery[];
}

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
  /** Deliveries in flight with the caller now, by endpoint id; an endpoint without any is left out. */
  readonly inFlight: ReadonlyMap<string, number>;
  /**
   * Limits on the bytes of bodies, see {@link ByteBudget}.
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
  /** Its `due_at` before this claim: what the attempt's lateness counts from. Unix ms. */
  readonly dueAt?: number;
}

/** Result of a claim. */
export interface ClaimResult {
  readonly claims: readonly Claim[];
  /**
   * Earliest `due_at` left, leases' ends among them, at endpoints that still have a free slot after this claim, and
   * room for their next body; `null` when there is none. A store that would have to search far for it may name an
   * earlier instant, also where all endpoints are full, never a later one. Unix ms.
   */
  readonly nextDueAt: number | null;
  /**
   * Damage in rows that this claim leased, each as `store_damaged`. A delivery that can still be sent is among the
   * claims; any other stays leased until the lease ends.
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
}

/** A delivery and all that happened to it. */
export interface DeliveryHistory {
  readonly delivery: Delivery;
  /** Every recorded attempt in order; at most 100. */
  readonly attempts: readonly Attempt[];
}

/**
 * State of deliveries. Every method is atomic, none retries, none reads the clock; each rejects when the store is
 * out of reach, and then nothing has happened or all of it has. `deliveryStoreContract` in `headgate/testing` says
 * the same in tests.
 */
export interface DeliveryStore {
  /**
   * Adds deliveries. One whose id the store knows, in whatever state, is left alone: enqueueing twice is harmless.
   * Each keeps the body it was first enqueued with, while it is unfinished or failed; the bytes are copied.
   * Deliveries of one event may share a body where the bytes are equal, never where they differ: what a later rule
   * redacted must not come out as it was before.
   *
   * @param dispatches - Any number; all are added or none.
   * @returns How many deliveries were new.
   * @throws {@link OptionError} (as a rejection) `body_too_large` for a body of more than `MAX_BODY_BYTES`, and
   * `invalid_option` for what is no dispatch.
   */
  enqueue(dispatches: readonly Dispatch[]): Promise<number>;
  /**
   * Leases due deliveries: pending ones, and leased ones whose lease has ended. Two claims never share one. Of each
   * endpoint the earliest due first; among endpoints the one with the fewest in flight (those of this claim
   * counted), then the earliest due: a backlog or a hanging endpoint takes no turn from others. It takes no more than
   * `bytes` has room for, as `ByteRoom` says.
   *
   * @param request - Limits and lease.
   */
  claim(request: ClaimRequest): Promise<ClaimResult>;
  /**
   * Ends leases by writing the records, each where its delivery still has that lease. A lease that has ended but was
   * taken by nobody still counts. A settlement that is recorded already is not written again, and is told as recorded: so
   * one whose answer was lost can be repeated. It is recorded when its attempt is in the delivery's history; or, where it
   * has none, when the delivery is pending, due when the settlement says, with as many attempts.
   *
   * @param settlements - Any number, at most one for each delivery.
   * @returns For each in order, whether it is recorded; `false` where the lease had passed to somebody else.
   */
  settle(settlements: readonly Settlement[]): Promise<readonly boolean[]>;
  /**
   * One delivery with its attempts; `null` when the store does not know it, or no longer.
   *
   * @param id - A delivery's id.
   */
  get(id: string): Promise<DeliveryHistory | null>;
}
