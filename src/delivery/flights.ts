/** Deliveries in flight: from their lease to the record of what came of it, or until they are given up. */
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

/** The flights of one claim: their leases end together, and so do they, at the latest. */
interface Group {
  /** Those whose attempt has not ended. */
  readonly attempting: Set<Flight>;
  /** Puts the end off for good. */
  cancel: () => void;
}

/** A delivery that is being attempted or settled. */
interface Flight {
  readonly claim: Claim;
  readonly lease: Lease;
  readonly group: Group;
  readonly abort: AbortController;
  /** It has yet to ask whether its endpoint's rate limit lets it go. */
  asking: boolean;
}

/** Somebody who waits for flights to be over. */
interface Wait {
  readonly flights: Set<Flight>;
  readonly landed: () => void;
}

/** How long before its lease an attempt must end, and how soon once it is told to. */
export const GRACE_MS = 1_000;

/** Whom flights need besides the settings. */
export interface FlightParts {
  readonly settings: SchedulerSettings;
  readonly settlements: SettlementQueue;
  readonly rates: Rates;
  readonly tell: Tell;
  /** Called when a slot is free again. */
  readonly freed: () => void;
}

/** All flights of one scheduler. */
export class Flights implements Load {
  readonly #parts: FlightParts;
  readonly #flights = new Set<Flight>();
  /** By delivery id, the newest of each: the one before may still wait to be told that it is recorded. */
  readonly #newest = new Map<string, Flight>();
  readonly #groups = new Set<Group>();
  /** How many there are, by endpoint id; none is left out. */
  readonly #counts = new Map<string, number>();
  readonly #bodies = new BodiesInFlight();
  readonly #waits = new Set<Wait>();

  constructor(parts: FlightParts) {
    this.#parts = parts;
  }

  /** How many slots are taken. */
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
   * Gives a flight that is under way its new lease: the clock was set forward, or the store was slow, and its own
   * ended.
   *
   * @param delivery - As it was claimed.
   * @param lease - The new one.
   * @returns False when there is no such flight; or when an attempt was recorded since, its own perhaps, while the answer was
   * lost: what was claimed then is the attempt after that.
   */
  renew({ id, attempts }: Delivery, lease: Lease): boolean {
    const flight = this.#newest.get(id);
    if (flight?.claim.delivery.attempts !== attempts) return false;
    Object.assign(flight.lease, lease);
    return true;
  }

  /** Begins attempts under one lease. */
  attempt(claims: readonly Claim[], lease: Lease): void {
    const group: Group = { attempting: new Set(), cancel: () => undefined };
    this.#groups.add(group);
    group.cancel = this.#parts.settings.clock.at(lease.until - GRACE_MS, () => this.#giveUp(group));
    for (const claim of claims) {
      const flight = this.#add(claim, lease, group);
      group.attempting.add(flight);
      void this.#attempt(flight);
    }
  }

  /** Begins to give leases back that nobody uses. */
  giveBack(claims: readonly Claim[], lease: Lease): void {
    const { clock } = this.#parts.settings;
    const group: Group = { attempting: new Set(), cancel: () => undefined };
    for (const claim of claims) {
      void this.#settle(this.#add(claim, lease, group), unattempted(claim.delivery, clock.now()));
    }
  }

  /** Resolves once all that are under way now are over. */
  landed(): Promise<void> {
    const flights = new Set(this.#flights);
    if (flights.size === 0) return Promise.resolve();
    return new Promise((landed) => this.#waits.add({ flights, landed }));
  }

  /** Tells every attempt to end. */
  abort(): void {
    for (const { abort } of this.#flights) abort.abort();
  }

  /** Ends every attempt that has not ended, and waits for no record any more: no slot is taken, no timer is left. */
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
      wait.landed();
    }
  }

  async #attempt(flight: Flight): Promise<void> {
    const { settings, rates } = this.#parts;
    const { claim, group, abort } = flight;
    const admit = (perSecond: number | null): number | null => {
      flight.asking = false;
      return rates.take(claim.delivery.endpoint_id, perSecond, settings.clock.now());
    };
    const result = await attemptDelivery(claim, settings, abort.signal, admit);
    // What still comes of one that was given up is ignored, and whoever claims it next begins anew.
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
    freed();
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
    freed();
  }

  #end(group: Group): void {
    group.cancel();
    this.#groups.delete(group);
  }
}
