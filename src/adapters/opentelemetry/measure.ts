/** The metrics. Names and units follow the semantic conventions of OpenTelemetry. */
import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api';
import type { SchedulerCallbacks } from '../../delivery/callbacks.js';
import type { Delivery } from '../../delivery/delivery.js';
import type { AttemptOutcome } from '../../delivery/transport.js';
import { StoreError } from '../../errors.js';

/** Buckets in seconds, from the conventions for HTTP: up to the ten seconds that an attempt may take. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Buckets in seconds, from the lateness of a healthy scheduler to an outage of an hour. */
const LATENESSES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600];

/**
 * Callbacks that measure.
 *
 * @param meter - Makes the instruments.
 */
export function measureWith(meter: Meter) {
  const instruments = instrumentsOf(meter);
  const flights = countFlights(meter);
  const released = (delivery: Delivery, reason: 'error' | 'throttled' | 'unused'): void => {
    flights.ended(delivery);
    instruments.released.add(1, { 'headgate.release.reason': reason });
  };
  return {
    claimed: (deliveries) => deliveries.forEach(flights.began),
    attempted(delivery, attempt, lateMs) {
      flights.ended(delivery);
      // Negative where the clock was set back meanwhile.
      const tookMs = Math.max(attempt.ended_at - attempt.started_at, 0);
      instruments.duration.record(tookMs / 1_000, outcomeAttributes(attempt.outcome));
      if (lateMs !== null) instruments.lateness.record(lateMs / 1_000);
    },
    delivered: () => instruments.finished.add(1, { 'headgate.delivery.state': 'delivered' }),
    deadLettered: () => instruments.finished.add(1, { 'headgate.delivery.state': 'failed' }),
    retrying: () => instruments.retries.add(1),
    released: (delivery, error) => released(delivery, error === undefined ? 'unused' : 'error'),
    throttled: (delivery) => released(delivery, 'throttled'),
    leaseLost(delivery) {
      flights.ended(delivery);
      instruments.leasesLost.add(1);
    },
    storeFailed: ({ operation, error }) =>
      instruments.storeFailures.add(1, {
        'headgate.store.operation': operation,
        'error.type': typeOf(error),
      }),
    clockJumped: () => instruments.clockJumps.add(1),
  } satisfies SchedulerCallbacks;
}

function instrumentsOf(meter: Meter) {
  const counter = (name: string, unit: string, description: string): Counter =>
    meter.createCounter(`headgate.${name}`, { unit, description });
  const histogram = (name: string, buckets: readonly number[], description: string): Histogram =>
    meter.createHistogram(`headgate.${name}`, {
      unit: 's',
      description,
      advice: { explicitBucketBoundaries: [...buckets] },
    });
  return {
    duration: histogram('delivery.attempt.duration', DURATIONS, 'Time of recorded attempts'),
    lateness: histogram('delivery.lateness', LATENESSES, 'From when an attempt was due to its start'),
    finished: counter('delivery.finished', '{delivery}', 'Deliveries that were delivered or failed for good'),
    retries: counter('delivery.retries', '{retry}', 'Retries that were scheduled'),
    released: counter('delivery.released', '{delivery}', 'Leases given back without an attempt'),
    leasesLost: counter('lease.lost', '{lease}', 'Leases that ended before anything was recorded'),
    storeFailures: counter('store.failures', '{failure}', 'Calls of the store that failed'),
    clockJumps: counter('clock.jumps', '{jump}', 'Times the clock was set by more than five seconds'),
  };
}

/**
 * Counts each delivery in flight once, however its lease ends. A delivery that a stopping scheduler gave back was never
 * counted.
 */
function countFlights(meter: Meter) {
  const counter = meter.createUpDownCounter('headgate.delivery.in_flight', {
    unit: '{delivery}',
    description: 'Deliveries that are being attempted or recorded',
  });
  const ids = new Set<string>();
  return {
    began: ({ id }: Delivery): void => {
      if (ids.has(id)) return;
      ids.add(id);
      counter.add(1);
    },
    ended: ({ id }: Delivery): void => {
      if (ids.delete(id)) counter.add(-1);
    },
  };
}

const outcomeAttributes = (outcome: AttemptOutcome): Attributes => ({
  ...(outcome.status !== undefined && { 'headgate.status_class': `${Math.floor(outcome.status / 100)}xx` }),
  ...(!outcome.ok && { 'error.type': outcome.failure }),
});

/** The conventions use `_OTHER` for an error without a code. */
const typeOf = (error: unknown): string => (error instanceof StoreError ? error.code : '_OTHER');
