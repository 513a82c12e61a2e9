/** Deliveries in flight: from their lease until their result is recorded, or until they are given up. */
import { attemptDelivery, type AttemptResult, unattempted } from './attempt.js';
import { BodiesInFlight, count } from './bodies-in-flight.js';
import type { ByteBudget } from './byte-budget.js';
import type { Tell } from './callbacks.js';
import type { Delivery } from './delivery.js';
import type { Load, Rates } from './rates.js';
import { reportHealth, reportResult } from './reports.js';
import type { SchedulerSettings } from './scheduler-options.js';
import type { Lease, SettlementQueue } from './settlements.js';
import type { Claim } from './store.js';
import type { BeginTrace } from './tracing.js';

/** The flights of one claim. Their leases end together; shortly before, all of them are given up. */
interface Group {
  /** Flights whose attempt has not ended. */
  readonly attempting: Set<Flight>;
  /** Cancels the timer that gives them up. */
  cancel: () => void;
}

/** A delivery that is being attempted or settled. */
interface Flight {
  readonly claim: Claim;
  readonly lease: Lease;
  readonly group: Group;
  readonly abort: AbortController;
  /** True until it has asked its endpoint's rate limit for a token. */
  asking: boolean;
}

/** Flights that have slots and no attempts yet. */
export interface Reserved {
  readonly lease: Lease;
  readonly group: Group;
  readonly flights: readonly Flight[];
}

/** A caller that waits for flights to be recorded or given up. */
interface Wait {
  readonly flights: Set<Flight>;
  readonly settled: () => void;
}

/** An attempt must end this long before its lease does, and within this time once it is told to end. */
export const GRACE_MS = 1_000;

/** The scheduler's parts that flights use. */
export interface FlightParts {
  readonly settings: SchedulerSettings;
  readonly settlements: SettlementQueue;
  readonly rates: Rates;
  readonly tell: Tell;
  readonly trace: BeginTrace;
  /**
   * Called when a slot is free again.
   *
   * @param ended - The record of the delivery that had it; null if there was no attempt, or several slots are free.
   */
  readonly freed: (ended: Delivery | null) => void;
}

/** All flights of one scheduler. Made with the scheduler and used for as long as it exists; the loop adds claims. */
export class Flights implements Load {
  readonly #parts: FlightParts;
  readonly #flights = new Set<Flight>();
  /** The newest flight of each delivery, by id. An earlier one may still wait for the answer that it is recorded. */
  readonly #newest = new Map<string, Flight>();
  readonly #groups = new Set<Group>();
  /** Number of flights by endpoint id, without zeros. */
  readonly #counts = new Map<string, number>();
  readonly #bodies = new BodiesInFlight();
  readonly #waits = new Set<Wait>();

  constructor(parts: FlightParts) {
    this.#parts = parts;
  }

  /** Number of slots in use. */
  get size(): number {
    return this.#flights.size;
  }

  /** The limits on bytes for the next claim, with the bytes now in flight. */
  byteBudget(): ByteBudget {
    return this.#bodies.budget(this.#parts.settings.maxBytesInFlight);
  }

  inFlight(): Map<string, number> {
    return new Map(this.#counts);
  }

  asking(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { asking, claim } of this.#flights) {
      if (asking) count(counts, claim.delivery.endpoint_id, 1);
    }
    return counts;
  }

  /**
   * Gives a flight that is under way a new lease. Its own has ended, because the clock was set forward or the store was
   * slow, and this scheduler has claimed the delivery again.
   *
   * @param delivery - The record that was claimed.
   * @param lease - The new lease.
   * @returns False when there is no such flight, or when an attempt was recorded since: then the claim is for the next
   * attempt. The recorded attempt may be the flight's own, if the store's answer was lost.
   */
  renew({ id, attempts }: Delivery, lease: Lease): boolean {
    const flight = this.#newest.get(id);
    if (flight?.claim.delivery.attempts !== attempts) return false;
    Object.assign(flight.lease, lease);
    return true;
  }

  /** Takes slots under one lease; `attempt`, `giveBack` or `release` follows. */
  reserve(claims: readonly Claim[], lease: Lease): Reserved {
    const group: Group = { attempting: new Set(), cancel: () => undefined };
    return { lease, group, flights: claims.map((claim) => this.#add(claim, lease, group)) };
  }

  /** Starts the attempts, except those of flights that were given up since. */
  attempt({ lease, group, flights }: Reserved): void {
    const kept = flights.filter((flight) => this.#flights.has(flight));
    if (kept.length === 0) return;
    this.#groups.add(group);
    group.cancel = this.#parts.settings.clock.at(lease.until - GRACE_MS, () => this.#giveUp(group));
    for (const flight of kept) group.attempting.add(flight);
    for (const flight of kept) void this.#attempt(flight);
  }

  /** Gives unused leases back to the store. */
  giveBack({ flights }: Reserved): void {
    const now = this.#parts.settings.clock.now();
    for (const flight of flights.filter((one) => this.#flights.has(one))) {
      void this.#settle(flight, unattempted(flight.claim.delivery, now));
    }
  }

  /** Frees the slots; nothing is written. */
  release({ flights }: Reserved): void {
    for (const flight of flights) this.#remove(flight);
    this.#parts.freed(null);
  }

  /** Resolves once all flights of this moment are recorded or given up. */
  settled(): Promise<void> {
    const flights = new Set(this.#flights);
    if (flights.size === 0) return Promise.resolve();
    return new Promise((settled) => this.#waits.add({ flights, settled }));
  }

  /** Signals every attempt to end. */
  abort(): void {
    for (const { abort } of this.#flights) abort.abort();
  }

  /** Gives up every attempt and every record that is under way: afterwards no slot is in use and no timer is set. */
  giveUp(): void {
    for (const group of this.#groups) this.#giveUp(group);
    for (const flight of this.#flights) this.#remove(flight);
    this.#parts.settlements.abandon();
  }

  #add(claim: Claim, { token, until }: Lease, group: Group): Flight {
    const abort = new AbortController();
    const flight: Flight = { claim, lease: { token, until }, group, abort, asking: true };
    this.#flights.add(flight);
    this.#newest.set(claim.delivery.id, flight);
    count(this.#counts, claim.delivery.endpoint_id, 1);
    this.#bodies.add(claim);
    return flight;
  }

  #remove(flight: Flight): void {
    const { id, endpoint_id } = flight.claim.delivery;
    if (!this.#flights.delete(flight)) return;
    if (this.#newest.get(id) === flight) this.#newest.delete(id);
    count(this.#counts, endpoint_id, -1);
    this.#bodies.remove(flight.claim);
    for (const wait of this.#waits) {
      wait.flights.delete(flight);
      if (wait.flights.size > 0) continue;
      this.#waits.delete(wait);
      wait.settled();
    }
  }

  async #attempt(flight: Flight): Promise<void> {
    const { settings, rates, trace } = this.#parts;
    const { claim, group, abort } = flight;
    const admit = (perSecond: number | null): number | null => {
      flight.asking = false;
      return rates.take(claim.delivery.endpoint_id, perSecond, settings.clock.now());
    };
    const result = await attemptDelivery(claim, settings, abort.signal, admit, trace);
    // The late result of a flight that was given up is ignored. The next claim of the delivery repeats the attempt.
    if (!group.attempting.delete(flight)) return;
    if (group.attempting.size === 0) this.#end(group);
    await this.#settle(flight, result);
  }

  async #settle(flight: Flight, result: AttemptResult): Promise<void> {
    const { settings, settlements, tell, freed } = this.#parts;
    const held = await settlements.settle(flight.lease, result);
    this.#remove(flight);
    reportResult(tell, flight.claim, result, held);
    if (held && settings.pauseAfterDays !== null) reportHealth(tell, result, settings.pauseAfterDays);
    freed(held ? result.delivery : null);
  }

  #giveUp(group: Group): void {
    const { tell, freed } = this.#parts;
    this.#end(group);
    const lost = [...group.attempting];
    group.attempting.clear();
    for (const flight of lost) {
      this.#remove(flight);
      flight.abort.abort();
      tell((on) => on.leaseLost?.(flight.claim.delivery, null));
    }
    freed(null);
  }

  #end(group: Group): void {
    group.cancel();
    this.#groups.delete(group);
  }
}
