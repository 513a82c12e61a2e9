/** Counts the rows that one call of a store reads, for each kind of call. */
import { strict as assert } from 'node:assert';
import type { DeadLetters } from '../../../src/delivery/dead-letters.js';
import {
  type Claim,
  type ClaimRequest,
  type DeliveryStore,
  newDelivery,
  type RetryPolicy,
  type Settlement,
  transition,
} from '../../../src/delivery/index.js';
import { type BacklogRow, NOW, type Shape, workRow } from './shapes.js';

/** The amount read, in the unit of the store that counts it. */
export interface Reading {
  /** Rows, or steps of a machine that takes a bounded number for each row. */
  readonly read: number;
  /** Rows of tables that were read from end to end. */
  readonly scans: number;
  /** Sorts of rows that no index has in order. */
  readonly sorts: number;
  /** Pages touched, where the store tells. */
  readonly pages?: number;
}

/** A store on tables that count. */
export interface Counted {
  /** A store that knows nothing yet of what is in the tables, as after a restart. */
  readonly store: () => DeliveryStore & { readonly deadLetters: DeadLetters };
  /** Adds rows to the tables, past the store. */
  readonly fill: (rows: Iterable<BacklogRow & { readonly id: string }>) => Promise<void>;
  /** Lets the database look at what its tables hold, for its planner. */
  readonly analyze: () => Promise<void>;
  /** The amount read since the last call. */
  readonly take: () => Reading;
  readonly close: () => Promise<void>;
}

/** Changes the SQL of a statement before the database has it. */
export type Rewrite = (sql: string) => string;

/** Deliveries in a batch. */
export const BATCH = 20;
/** Letters on a page. */
const PAGE = 20;
/** Calls of a kind whose mean is taken. */
const ROUNDS = 5;
/** Deliveries of a worker's work: more than are claimed. */
const WORK = 1_200;

/** Adds rows of a shape, from the nth on. */
export async function fillShape(counted: Counted, shape: Shape, from: number, to: number): Promise<void> {
  await counted.fill(numbered('old', shape.row, from, to));
}

/** Adds what a worker works on. */
export async function fillWork(counted: Counted, name: string): Promise<void> {
  await counted.fill(numbered(name, workRow, 0, WORK));
}

function* numbered(name: string, row: (n: number) => BacklogRow, from: number, to: number) {
  for (let n = from; n < to; n++) yield { id: `${name} ${n}`, ...row(n) };
}

let tokens = 0;
const request = (shape: Shape, at: number, more: Partial<ClaimRequest> = {}): ClaimRequest => ({
  ...{ lease: `lease ${++tokens}`, at, until: at + 30_000, limit: BATCH, perEndpoint: 8 },
  inFlight: new Map(shape.full.map((endpoint) => [endpoint, 8])),
  ...more,
});

const RETRY: RetryPolicy = { retry_max_attempts: 5, retry_backoff_base_seconds: 60 };
const LAST: RetryPolicy = { retry_max_attempts: 1, retry_backoff_base_seconds: 60 };

/** How an attempt ended, and what its endpoint's policy says. */
function settlementOf({ delivery }: Claim, status: 204 | 503, policy: RetryPolicy): Settlement {
  const outcome =
    status === 204
      ? ({ ok: true, status } as const)
      : ({ ok: false, failure: 'http_status', status, transient: true, detail: '' } as const);
  const attempt = { started_at: NOW, ended_at: NOW, outcome };
  const lease = delivery.lease!;
  const after = transition(delivery, { type: 'attempt', lease, attempt, policy });
  assert(after.ok);
  return { lease, delivery: after.delivery, attempt: after.delivery.last_attempt };
}

/** Everything that is measured, by name. */
export type Readings = Readonly<Record<string, Reading>>;

/** Does what a worker, a host and an operator do, and counts each. */
export async function measure(counted: Counted, shape: Shape): Promise<Readings> {
  const store = counted.store();
  const readings: Record<string, Reading> = {};
  const count = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    counted.take();
    const result = await work();
    readings[name] = sum([...(name in readings ? [readings[name]!] : []), counted.take()]);
    return result;
  };
  const claim = async (at: number): Promise<readonly Claim[]> =>
    (await store.claim(request(shape, at))).claims;

  await count('look at the next due instant', async () => {
    const { claims, nextDueAt } = await counted.store().claim(request(shape, NOW - 10 ** 9));
    assert(claims.length === 0 && nextDueAt !== null);
  });
  await count('first claim', () => claim(NOW + 1));
  for (let n = 0; n < (shape.warmUp ?? 3); n++) await claim(NOW + 2 + n);

  const outcomes = [
    ['settle as delivered', 204, RETRY],
    ['settle for a retry', 503, RETRY],
    ['settle as a dead letter', 503, LAST],
  ] as const;
  for (let n = 0; n < outcomes.length * ROUNDS; n++) {
    const claims = await count('claim', () => claim(NOW + 100 + n));
    assert.equal(claims.length, BATCH, `${shape.name}: claims of ${BATCH}`);
    const [name, status, policy] = outcomes[n % outcomes.length]!;
    const settlements = claims.map((one) => settlementOf(one, status, policy));
    assert(!(await count(name, () => store.settle(settlements))).includes(false));
    await count('put', () => store.enqueue(dispatches(n)));
  }
  for (const [name, rounds] of Object.entries({ claim: 3 * ROUNDS, put: 3 * ROUNDS })) {
    readings[name] = divided(readings[name]!, rounds);
  }
  for (const [name] of outcomes) readings[name] = divided(readings[name]!, ROUNDS);

  await count('get', () => store.get('old 0'));
  const list = store.deadLetters.list.bind(store.deadLetters);
  const { next } = await count('list', () => list({}, { limit: PAGE }));
  if (next !== null) await count('next page', () => list({}, { limit: PAGE, cursor: next }));
  await count('list of an endpoint', () => list({ endpointId: 'work 1' }, { limit: PAGE }));
  await count('list of a time', () => list({ failedBefore: NOW }, { limit: PAGE }));
  return readings;
}

/** New events, each for one endpoint. */
function dispatches(round: number) {
  return Array.from({ length: BATCH }, (_, n) => {
    const event = { id: `new ${++tokens} ${round}`, type: 'x' };
    const deliveries = [newDelivery(event, `new ${n % 5}`, { at: NOW + 1_000_000 })];
    return { body: new Uint8Array(2), deliveries };
  });
}

const sum = (all: readonly Reading[]): Reading => ({
  read: total(all, ({ read }) => read),
  scans: total(all, ({ scans }) => scans),
  sorts: total(all, ({ sorts }) => sorts),
  ...(all.some(({ pages }) => pages !== undefined) && { pages: total(all, ({ pages }) => pages ?? 0) }),
});

const total = (all: readonly Reading[], of: (one: Reading) => number): number =>
  all.reduce((sum, one) => sum + of(one), 0);

const divided = ({ read, scans, sorts, pages }: Reading, by: number): Reading => ({
  ...{ read: Math.round(read / by), scans, sorts },
  ...(pages !== undefined && { pages: Math.round(pages / by) }),
});
