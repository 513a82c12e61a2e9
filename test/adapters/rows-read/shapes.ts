/** Backlogs that must not make a claim dearer: what a store has beside the deliveries that a worker works on. */
import type { DeliveryState } from '../../../src/delivery/index.js';

/** When everything is measured; Unix ms. */
export const NOW = 1_700_000_000_000;
const HOUR_MS = 3_600_000;
/** Endpoints of a backlog that is spread. */
const ENDPOINTS = 200;

/** A delivery of a backlog. */
export interface BacklogRow {
  readonly state: DeliveryState;
  readonly endpointId: string;
  /** Unix ms; null once it is over. */
  readonly dueAt: number | null;
  /** Unix ms; null until it is over. */
  readonly finishedAt: number | null;
}

/** One kind of backlog. */
export interface Shape {
  readonly name: string;
  /** The nth row of any number. */
  readonly row: (n: number) => BacklogRow;
  /** Endpoints that have no free slot, as those are that hang, or whose rate limit is used up. */
  readonly full: readonly string[];
  /**
   * How many rows are few.
   * @defaultValue {@link FEW}
   */
  readonly few?: number;
  /**
   * Claims until all endpoints with something behind are known.
   * @defaultValue `3`
   */
  readonly warmUp?: number;
}

/** The sizes that a backlog grows from and to; rows. */
export const FEW = 1_000;
export const MANY = 100_000;

const one = (): string => 'endpoint 0';
const spread = (n: number): string => `endpoint ${n % ENDPOINTS}`;
const pending = (endpointId: string, dueAt: number): BacklogRow => ({
  ...{ state: 'pending', endpointId, dueAt },
  finishedAt: null,
});
const leased = (endpointId: string, dueAt: number): BacklogRow => ({
  ...{ state: 'leased', endpointId, dueAt },
  finishedAt: null,
});
const over = (state: 'delivered' | 'failed', endpointId: string, n: number): BacklogRow => ({
  ...{ state, endpointId, dueAt: null },
  finishedAt: NOW - HOUR_MS - n,
});

export const shapes: readonly Shape[] = [
  { name: 'finished', row: (n) => over('delivered', spread(n), n), full: [] },
  { name: 'dead letters', row: (n) => over('failed', spread(n), n), full: [] },
  { name: 'dead letters of one endpoint', row: (n) => over('failed', one(), n), full: [] },
  { name: 'due later', row: (n) => pending(spread(n), NOW + HOUR_MS + n), full: [] },
  { name: 'due now at one endpoint', row: (n) => pending(one(), NOW - n), full: [] },
  { name: 'due now at one endpoint that is full', row: (n) => pending(one(), NOW - n), full: [one()] },
  { name: 'due now at 200 endpoints', row: (n) => pending(spread(n), NOW - n), full: [] },
  {
    name: 'due now at 200 endpoints that are full',
    row: (n) => pending(spread(n), NOW - n),
    full: Array.from({ length: ENDPOINTS }, (_, n) => spread(n)),
  },
  { name: 'due in the same millisecond', row: (n) => pending(spread(n), NOW - 1), full: [], warmUp: 15 },
  { name: 'leased', row: (n) => leased(spread(n), NOW + HOUR_MS + n), full: [] },
  // SQLite looks at up to 1,024 of these: with fewer, they would run out.
  { name: 'leased, the leases ended', row: (n) => leased(spread(n), NOW - n), full: [], few: 3_000 },
];

/** As many endpoints as deliveries: what is looked up once for each endpoint grows with them. */
export const manyEndpoints: Shape = {
  name: 'due now, each at an endpoint of its own',
  row: (n) => pending(`endpoint ${String(n).padStart(6, '0')}`, NOW - n),
  full: [],
  warmUp: 15,
};

/** Endpoints of the deliveries that a worker works on. */
const WORK_ENDPOINTS = 10;

/** The nth delivery that a worker works on. */
export const workRow = (n: number): BacklogRow => pending(`work ${n % WORK_ENDPOINTS}`, NOW);
