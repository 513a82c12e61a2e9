/** Metrics for Prometheus. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Served } from '../api/serving.js';

/** Metrics of all modules. No label holds an id, a URL or text of customers: its values would have no bound. */
export interface Metrics {
  /** A request to the ingest address, by its answer: `accepted`, `duplicate`, or the code of a problem. */
  ingested(result: string): void;
  /** Events that were persisted in one transaction. */
  committed(events: number, ms: number): void;
  /** A decision, by outcome, and the time from receipt to its record. */
  decided(outcome: 'deliver' | 'drop', lagMs: number): void;
  /** Events whose decision failed and will be tried again. */
  decideFailed(events: number): void;
  /** A thread that decides was replaced: `stuck`, `hung` or `lost`. */
  threadReplaced(reason: string): void;
  /** An attempt, with the failure's code or `ok`, its duration, and how late it began. */
  attempted(code: string, durationMs: number, lateMs: number): void;
  /** A delivery that ended: `delivered` or `failed`. */
  finished(state: string): void;
  /** SDK clients: one more or less is connected. */
  connected(change: 1 | -1): void;
  /** Events that were sent to SDK clients, and the time from receipt. */
  streamed(lagMs: number): void;
  replied(result: 'stored' | 'repeated' | 'refused'): void;
  /** A call to the database that failed, by the module that made it. */
  storeFailed(module: string): void;
  /** How far the clock of this process is ahead of that of the database. */
  clockOffset(ms: number): void;
  served(served: Served): void;
  /** The text that Prometheus reads. */
  text(): Promise<string>;
}

/** The backlog, read from the database at each scrape. */
export interface Backlog {
  /** Events that are not decided, and the age of the oldest in milliseconds. */
  readonly undecided: number;
  readonly oldestUndecidedMs: number;
  /** Deliveries that are due now, and for how long the oldest has been. */
  readonly due: number;
  readonly oldestDueMs: number;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LONG_SECONDS = [...SECONDS, 60, 300, 3_600];

/**
 * @param backlog - Read at each scrape. If it rejects, the gauges keep their last values.
 * @param buffered - Bytes of requests and answers that the process holds now.
 */
export function createMetrics(backlog: () => Promise<Backlog>, buffered: () => number = () => 0): Metrics {
  const registry = Registry.merge([(ofProcess ??= observeProcess())]);
  const make = makerOf(registry);
  const setGauges = scrapedGauges(make, backlog, buffered);
  return {
    ...eventMetrics(make),
    ...deliveryMetrics(make),
    ...clientMetrics(make),
    ...serviceMetrics(make),
    async text() {
      await setGauges();
      return registry.metrics();
    },
  };
}

/** Metrics of the process. All hosts in it share them, since what observes its event loop never ends. */
let ofProcess: Registry | null = null;

function observeProcess(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Makes metrics of a registry. */
function makerOf(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
      new Counter<Label>({ name, help, labelNames, registers }),
    histogram: <Label extends string = never>(
      name: string,
      help: string,
      labelNames: readonly Label[] = [],
    ) => new Histogram<Label>({ name, help, labelNames, registers, buckets: LONG_SECONDS }),
    gauge: (name: string, help: string) => new Gauge({ name, help, registers }),
  };
}

type Maker = ReturnType<typeof makerOf>;

/** Events, from their receipt to their decision. */
function eventMetrics({ counter, histogram }: Maker) {
  const requests = counter('headgate_ingest_requests_total', 'Requests to ingest addresses, by result', [
    'result',
  ]);
  const commits = histogram(
    'headgate_ingest_commit_seconds',
    'Duration of the transactions that persist events',
  );
  const persisted = counter('headgate_ingest_events_total', 'Events that were persisted');
  const decisions = counter('headgate_decisions_total', 'Decided events, by outcome', ['outcome']);
  const lag = histogram('headgate_decision_lag_seconds', 'From the receipt of an event to its decision');
  const failures = counter(
    'headgate_decision_failures_total',
    'Decisions that failed and will be tried again',
  );
  const threads = counter('headgate_threads_replaced_total', 'Threads that were replaced, by reason', [
    'reason',
  ]);
  return {
    ingested: (result) => requests.inc({ result }),
    committed: (events, ms) => {
      persisted.inc(events);
      commits.observe(ms / 1_000);
    },
    decided: (outcome, lagMs) => {
      decisions.inc({ outcome });
      lag.observe(lagMs / 1_000);
    },
    decideFailed: (events) => failures.inc(events),
    threadReplaced: (reason) => threads.inc({ reason }),
  } satisfies Partial<Metrics>;
}

function deliveryMetrics({ counter, histogram }: Maker) {
  const attempts = histogram('headgate_attempt_seconds', 'Duration of attempts, by code; ok for a 2xx', [
    'code',
  ]);
  const lateness = histogram(
    'headgate_attempt_lateness_seconds',
    'From when an attempt was due to its start',
  );
  const finished = counter('headgate_deliveries_total', 'Deliveries that ended, by state', ['state']);
  return {
    attempted: (code, durationMs, lateMs) => {
      attempts.observe({ code }, durationMs / 1_000);
      lateness.observe(lateMs / 1_000);
    },
    finished: (state) => finished.inc({ state }),
  } satisfies Partial<Metrics>;
}

/** SDK clients. */
function clientMetrics({ counter, histogram, gauge }: Maker) {
  const clients = gauge('headgate_clients', 'SDK clients that are connected');
  const lag = histogram(
    'headgate_stream_lag_seconds',
    'From the receipt of an event to its frame to a client',
  );
  const replies = counter('headgate_replies_total', 'Replies of SDK clients, by result', ['result']);
  return {
    connected: (change) => clients.inc(change),
    streamed: (lagMs) => lag.observe(lagMs / 1_000),
    replied: (result) => replies.inc({ result }),
  } satisfies Partial<Metrics>;
}

/** The database, the clock and the API. */
function serviceMetrics({ counter, histogram, gauge }: Maker) {
  const failures = counter('headgate_store_errors_total', 'Calls to the database that failed, by module', [
    'module',
  ]);
  const offset = gauge(
    'headgate_clock_offset_seconds',
    'How far the clock of this process is ahead of that of the database',
  );
  const http = histogram('headgate_http_request_seconds', 'Requests, by route and status', [
    'method',
    'route',
    'status',
  ]);
  return {
    storeFailed: (module) => failures.inc({ module }),
    clockOffset: (ms) => offset.set(ms / 1_000),
    served: ({ method, route, status, ms }) =>
      http.observe({ method, route, status: `${status}` }, ms / 1_000),
  } satisfies Partial<Metrics>;
}

/** Gauges that the returned function sets, at each scrape. */
function scrapedGauges({ gauge }: Maker, backlog: () => Promise<Backlog>, buffered: () => number) {
  const undecided = gauge('headgate_undecided_events', 'Events that are persisted and not decided');
  const undecidedAge = gauge(
    'headgate_undecided_oldest_seconds',
    'Age of the oldest event that is not decided',
  );
  const due = gauge('headgate_due_deliveries', 'Deliveries that are due now; counted up to 10,000');
  const dueAge = gauge('headgate_due_oldest_seconds', 'How long the oldest due delivery has been due');
  const buffer = gauge(
    'headgate_buffer_bytes',
    'Bytes of requests, frames and answers that the process holds, of HEADGATE_BUFFER_BYTES',
  );
  return async (): Promise<void> => {
    buffer.set(buffered());
    const now = await backlog().catch(() => null);
    if (now === null) return;
    undecided.set(now.undecided);
    undecidedAge.set(now.oldestUndecidedMs / 1_000);
    due.set(now.due);
    dueAge.set(now.oldestDueMs / 1_000);
  };
}
