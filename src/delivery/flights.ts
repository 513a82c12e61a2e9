/** Deliveries in flight: from their lease to the record of what came of it, or until they are given up. */
import { attemptDelivery, type AttemptResult, unattempted } from './attempt.js';
import type { Tell } from './callbacks.js';
import type { Load, Rates } from './rates.js';
import { reportHealth, reportResult } from './reports.js';
import type { SchedulerSettings } from './scheduler-options.js';
import type { Lease, SettlementQueue } from './settlements.js';
import type { Claim } from './store.js';

/** A delivery that is being attempted or settled. */
interface Flight {
  readonly claim: Claim;
  readonly lease: Lease;
  readonly abort: AbortController;
  /** It has yet to ask whether its endpoint's rate limit lets it go. */
  asking: boolean;
  /** Frees the slot of an attempt that does not end; nothing once it has. */
  giveUp: () => void;
  /** Resolves when it is settled, or given up. */
  over: Promise<void>;
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
  /** By delivery id. */
  readonly #flights = new Map<string, Flight>();

  constructor(parts: FlightParts) {
    this.#parts = parts;
  }

  /** How many slots are taken. */
  get size(): number {
    return this.#flights.size;
  }

  inFlight(): Map<string, number> {
    return this.#count(() => true);
  }

  asking(): ReadonlyMap<string, number> {
    return this.#count(({ asking }) => asking);
  }

  /**
   * Gives a flight that is under way its new lease: the clock was set forward, or the store was slow, and its own
   * ended.
   *
   * @returns False when there is no such flight.
   */
  renew(deliveryId: string, lease: Lease): boolean {
    const flight = this.#flights.get(deliveryId);
    if (flight === undefined) return false;
    Object.assign(flight.lease, lease);
    return true;
  }

  /** Begins an attempt. */
  attempt(claim: Claim, lease: Lease): void {
    this.#launch(claim, lease, (flight) => this.#attempt(flight));
  }

  /** Begins to give a lease back that nobody uses. */
  giveBack(claim: Claim, lease: Lease): void {
    const { clock } = this.#parts.settings;
    this.#launch(claim, lease, () => Promise.resolve(unattempted(claim.delivery, clock.now())));
  }

  /** Resolves once all that are under way now are over. */
  async landed(): Promise<void> {
    await Promise.all(Array.from(this.#flights.values(), ({ over }) => over));
  }

  /** Tells every attempt to end. */
  abort(): void {
    for (const { abort } of this.#flights.values()) abort.abort();
  }

  /** Ends every attempt that has not ended. */
  giveUp(): void {
    for (const { giveUp } of this.#flights.values()) giveUp();
  }

  #count(counts: (flight: Flight) => boolean): Map<string, number> {
    const byEndpoint = new Map<string, number>();
    for (const flight of this.#flights.values()) {
      const id = flight.claim.delivery.endpoint_id;
      if (counts(flight)) byEndpoint.set(id, (byEndpoint.get(id) ?? 0) + 1);
    }
    return byEndpoint;
  }

  #launch(claim: Claim, lease: Lease, make: (flight: Flight) => Promise<AttemptResult | null>): void {
    const flight: Flight = {
      claim,
      lease,
      abort: new AbortController(),
      asking: true,
      giveUp: () => undefined,
      over: Promise.resolve(),
    };
    this.#flights.set(claim.delivery.id, flight);
    flight.over = this.#conclude(flight, make(flight));
  }

  async #conclude(flight: Flight, made: Promise<AttemptResult | null>): Promise<void> {
    const result = await made;
    if (result === null) return;
    const { settings, settlements, tell, freed } = this.#parts;
    const held = await settlements.settle(flight.lease, result);
    this.#flights.delete(result.delivery.id);
    reportResult(tell, flight.claim, result, held);
    if (held && settings.pauseAfterDays !== null) reportHealth(tell, result, settings.pauseAfterDays);
    freed();
  }

  /** Null once it was given up: what still comes of it is ignored, and whoever claims next begins anew. */
  async #attempt(flight: Flight): Promise<AttemptResult | null> {
    const { clock } = this.#parts.settings;
    const givenUp = new Promise<null>((resolve) => {
      flight.giveUp = () => {
        this.#lose(flight);
        resolve(null);
      };
    });
    const cancel = clock.at(flight.lease.until - GRACE_MS, flight.giveUp);
    const result = await Promise.race([this.#send(flight), givenUp]);
    cancel();
    flight.giveUp = () => undefined;
    return result;
  }

  #send(flight: Flight): Promise<AttemptResult> {
    const { settings, rates } = this.#parts;
    const { claim, abort } = flight;
    const admit = (perSecond: number | null): number | null => {
      flight.asking = false;
      return rates.take(claim.delivery.endpoint_id, perSecond, settings.clock.now());
    };
    return attemptDelivery(claim, settings, abort.signal, admit);
  }

  #lose({ claim, abort }: Flight): void {
    this.#flights.delete(claim.delivery.id);
    abort.abort();
    this.#parts.tell((on) => on.leaseLost?.(claim.delivery, null));
    this.#parts.freed();
  }
}
