/** Metrics and spans, as the SDKs of OpenTelemetry export them. */
import {
  type Context,
  context,
  type ContextManager,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTelemetry } from '../../../src/adapters/opentelemetry/index.js';
import {
  type AttemptOutcome,
  type DeliveryState,
  newDelivery,
  StoreError,
} from '../../../src/delivery/index.js';
import { failure, liveDelivery, NOW } from '../../delivery/arbitraries.js';
import { setStage, shaky, someDeliveries, type StageOptions } from '../../delivery/stage.js';

/** Providers that keep what they are told. */
function collectors() {
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 1e9 });
  const meters = new MeterProvider({ readers: [reader] });
  const spanExporter = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spanExporter)] });
  return {
    on: createTelemetry({ meter: meters.getMeter('test'), tracer: tracers.getTracer('test') }),
    spans: (): readonly ReadableSpan[] => spanExporter.getFinishedSpans(),
    async metrics() {
      await reader.forceFlush();
      const latest = metricExporter.getMetrics().at(-1);
      const all = latest?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
      return new Map(all.map((metric) => [metric.descriptor.name.replace('headgate.', ''), metric]));
    },
  };
}

/** A manager for whom the same context is active everywhere. */
const alwaysActive = (active: Context): ContextManager => ({
  active: () => active,
  with: (_, run, that, ...about) => run.call(that, ...about),
  bind: (_, target) => target,
  enable() {
    return this;
  },
  disable() {
    return this;
  },
});

type Collectors = ReturnType<typeof collectors>;

const pointsOf = async (seen: Collectors, name: string): Promise<readonly DataPoint<unknown>[]> =>
  (await seen.metrics()).get(name)?.dataPoints ?? [];

/** Values of a counter by its attributes, which are joined. */
async function counted(seen: Collectors, name: string): Promise<Readonly<Record<string, number>>> {
  const points = await pointsOf(seen, name);
  return Object.fromEntries(
    points.map(({ attributes, value }) => [Object.values(attributes).join(), value as number]),
  );
}

const total = async (seen: Collectors, name: string): Promise<number> =>
  Object.values(await counted(seen, name)).reduce((sum, value) => sum + value, 0);

const histograms = async (seen: Collectors, name: string): Promise<readonly DataPoint<Histogram>[]> =>
  (await pointsOf(seen, name)) as readonly DataPoint<Histogram>[];

/** A scheduler at work with telemetry, once so much time has passed. */
async function work(options: StageOptions, ms: number, count = 1) {
  const seen = collectors();
  const stage = setStage({ ...options, on: seen.on });
  stage.scheduler.start();
  await stage.enqueue(...someDeliveries(count));
  await stage.clock.advance(ms);
  return { seen, stage };
}

const DAY = 86_400_000;

const answers = (): fc.Arbitrary<{ outcome: number | AttemptOutcome; afterMs: number }> =>
  fc.record({
    outcome: fc.constantFrom<number | AttemptOutcome>(
      204,
      500,
      429,
      302,
      failure('timeout'),
      failure('tls_failure'),
    ),
    afterMs: fc.constantFrom(0, 5, 250, 9_999),
  });

describe('for every course of deliveries', () => {
  test('metrics and spans count what the records say', async () => {
    const courses = fc.array(answers(), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(courses, fc.integer({ min: 1, max: 6 }), async (course, count) => {
        let n = 0;
        const answer = () => course[n++ % course.length] ?? { outcome: 204 };
        const policy = { retry_max_attempts: 3, retry_backoff_base_seconds: 1 };
        const { seen, stage } = await work({ answer, policy }, DAY, count);
        const histories = await Promise.all(someDeliveries(count).map(({ id }) => stage.store.get(id)));
        const attempts = histories.flatMap((history) => history?.attempts ?? []);
        const durations = await histograms(seen, 'delivery.attempt.duration');
        expect(durations.reduce((sum, { value }) => sum + value.count, 0)).toBe(attempts.length);
        const tookMs = attempts.reduce((sum, { started_at, ended_at }) => sum + ended_at - started_at, 0);
        expect(durations.reduce((sum, { value }) => sum + (value.sum ?? NaN), 0)).toBeCloseTo(tookMs / 1_000);
        const inState = (state: DeliveryState): number =>
          histories.filter((history) => history?.delivery.state === state).length;
        const { delivered = 0, failed = 0 } = await counted(seen, 'delivery.finished');
        expect({ delivered, failed }).toEqual({ delivered: inState('delivered'), failed: inState('failed') });
        expect(delivered + failed).toBe(count);
        expect(await total(seen, 'delivery.retries')).toBe(attempts.length - count);
        expect(await total(seen, 'delivery.in_flight')).toBe(0);
        const times = seen.spans().map(({ startTime, endTime }) => [msOf(startTime), msOf(endTime)]);
        const recorded = attempts.map(({ started_at, ended_at }) => [started_at, ended_at]);
        expect(times.toSorted()).toEqual(recorded.toSorted());
      }),
      { numRuns: 50 },
    );
  });

  test('metrics tell apart no more than a closed list, whatever events, endpoints and receivers say', async () => {
    const seen = collectors();
    let status = 99;
    const stage = setStage({ answer: () => ({ outcome: ++status }), on: seen.on });
    stage.scheduler.start();
    const deliveries = Array.from({ length: 900 }, (_, n) =>
      newDelivery({ id: `evt_${n}`, type: `type-${n}` }, `endpoint-${n}`, { at: NOW }),
    );
    await stage.enqueue(...deliveries);
    await stage.clock.advance(0);
    expect(stage.transport.sent).toHaveLength(900);
    for (const [name, { dataPoints }] of await seen.metrics()) {
      expect([name, dataPoints.length]).toEqual([name, name === 'delivery.attempt.duration' ? 9 : 1]);
    }
  });
});

const msOf = ([seconds, nanos]: readonly [number, number]): number => seconds * 1_000 + nanos / 1e6;

describe('a span', () => {
  test('says which delivery, which attempt, and how it ended', async () => {
    const { seen } = await work(
      { answer: (_, earlier) => ({ outcome: earlier === 0 ? 503 : 204, afterMs: 40 }) },
      DAY,
    );
    const identity = {
      'headgate.delivery.id': 'evt_1:a',
      'headgate.delivery.origin': 'live',
      'headgate.event.type': 'webhook.received',
      'headgate.event.id': 'evt_1',
      'headgate.endpoint.id': 'a',
      'http.request.method': 'POST',
    };
    const [first, second] = seen.spans();
    expect(first?.attributes).toEqual({
      ...identity,
      'headgate.attempt.number': 1,
      'http.response.status_code': 503,
      'error.type': '503',
    });
    expect(first).toMatchObject({
      name: 'headgate.delivery.attempt',
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.ERROR, message: 'http_status' },
    });
    expect([first?.startTime, first?.endTime].map((time) => msOf(time ?? [0, 0]) - NOW)).toEqual([0, 40]);
    expect(second?.attributes).toEqual({
      ...identity,
      'headgate.attempt.number': 2,
      'http.request.resend_count': 1,
      'http.response.status_code': 204,
    });
    expect(second?.status).toEqual({ code: SpanStatusCode.UNSET });
  });

  test('has the code of a failure without an answer as the type of its error', async () => {
    const { seen } = await work({ answer: () => ({ outcome: failure('dns_failure') }) }, 0);
    expect(seen.spans()[0]?.attributes).toMatchObject({ 'error.type': 'dns_failure' });
    expect(seen.spans()[0]?.attributes).not.toHaveProperty(['http.response.status_code']);
  });

  test('has no parent, whatever was active where somebody woke the scheduler', async () => {
    const tracer = new BasicTracerProvider().getTracer('host');
    const active = trace.setSpan(ROOT_CONTEXT, tracer.startSpan('request'));
    context.setGlobalContextManager(alwaysActive(active));
    const { seen } = await work({}, 0);
    context.disable();
    expect(seen.spans().map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined]);
  });

  test('never ends before it starts, though the clock was set back under the attempt', async () => {
    const warnings: unknown[] = [];
    const warn = (what: unknown): void => void warnings.push(what);
    diag.setLogger({ error: warn, warn, info: warn, debug: () => undefined, verbose: () => undefined });
    const { seen, stage } = await work({ answer: () => ({ outcome: 204, afterMs: 1_000 }) }, 500);
    stage.clock.set(NOW - 3_600_000);
    await stage.clock.advance(500);
    const [span] = seen.spans();
    diag.disable();
    expect(span?.endTime).toEqual(span?.startTime);
    expect(warnings).toEqual([]);
    expect((await histograms(seen, 'delivery.attempt.duration'))[0]?.value).toMatchObject({
      count: 1,
      sum: 0,
    });
    expect(await total(seen, 'clock.jumps')).toBe(1);
  });
});

test('what was a secret stays one: no URL, body, header or sentence is exported', async () => {
  const outcome: AttemptOutcome = {
    ...failure('address_refused', false),
    detail: 'at secret-detail',
  } as never;
  const { seen } = await work(
    {
      endpoints: () => ({
        url: 'https://user:secret-url@example.com/?key=secret-query',
        retry_max_attempts: 2,
        retry_backoff_base_seconds: 1,
      }),
      signer: { headers: () => ({ 'Svc-Signature': 'secret-signature' }) },
      answer: () => ({ outcome }),
    },
    DAY,
  );
  const spans = seen
    .spans()
    .map(({ name, attributes, status, events }) => ({ name, attributes, status, events }));
  const exported = JSON.stringify([spans, [...(await seen.metrics()).values()]]);
  expect(spans).toHaveLength(2);
  expect(exported).toContain('address_refused');
  expect(exported).not.toMatch(/secret|example\.com|"data"/);
});

describe('metrics', () => {
  test('tell outcomes apart by code and class of status', async () => {
    const outcomes = [204, 200, 503, 404, failure('timeout'), failure('timeout')];
    const { seen } = await work({ answer: () => ({ outcome: outcomes.pop() ?? 204 }) }, 0, 6);
    const points = await histograms(seen, 'delivery.attempt.duration');
    const told = points.map(({ attributes, value }) => ({ ...attributes, count: value.count }));
    expect(told).toEqual(
      expect.arrayContaining([
        { 'headgate.status_class': '2xx', count: 2 },
        { 'headgate.status_class': '4xx', 'error.type': 'http_status', count: 1 },
        { 'headgate.status_class': '5xx', 'error.type': 'http_status', count: 1 },
        { 'error.type': 'timeout', count: 2 },
      ]),
    );
    expect(told).toHaveLength(4);
  });

  test('are in seconds, with bounds that suit them', async () => {
    const { seen } = await work({ answer: () => ({ outcome: 204, afterMs: 9_000 }), concurrency: 1 }, DAY, 2);
    const [duration] = await histograms(seen, 'delivery.attempt.duration');
    const [lateness] = await histograms(seen, 'delivery.lateness');
    expect(duration?.value).toMatchObject({ sum: 18, count: 2 });
    expect(duration?.value.buckets.boundaries.at(-1)).toBe(10);
    expect(lateness?.value).toMatchObject({ min: 0, max: 9 });
    const units = Array.from(await seen.metrics(), ([, { descriptor }]) => descriptor.unit);
    expect(units).toEqual(expect.arrayContaining(['s', '{delivery}']));
    expect(units).not.toContain('');
  });

  test('lateness is left out where the store does not tell it', async () => {
    const { seen } = await work(
      {
        through: (store) => ({
          ...store,
          claim: async (request) => {
            const { claims, nextDueAt } = await store.claim(request);
            return { claims: claims.map(({ delivery, body }) => ({ delivery, body })), nextDueAt };
          },
        }),
      },
      0,
    );
    expect(await pointsOf(seen, 'delivery.lateness')).toEqual([]);
    expect(seen.spans()).toHaveLength(1);
  });

  test('count what is in flight while it is', async () => {
    const { seen, stage } = await work({ answer: () => ({ outcome: 204, afterMs: 1_000 }) }, 500, 5);
    expect(await total(seen, 'delivery.in_flight')).toBe(5);
    await stage.clock.advance(500);
    expect(await total(seen, 'delivery.in_flight')).toBe(0);
  });

  test('count leases given back by reason, and leases lost, once each', async () => {
    const broken = await work({ endpoints: () => Promise.reject(new Error('down')) }, 0, 2);
    expect(await counted(broken.seen, 'delivery.released')).toEqual({ error: 2 });
    const limited = await work(
      {
        endpoints: () => ({
          url: 'https://a',
          retry_max_attempts: 1,
          retry_backoff_base_seconds: 1,
          rate_limit_per_second: 1,
        }),
      },
      0,
      3,
    );
    expect(await counted(limited.seen, 'delivery.released')).toEqual({ throttled: 2 });
    const stopping = await work({ answer: () => ({ outcome: 204, afterMs: 5_000 }) }, 0, 3);
    await stopping.stage.scheduler.stop({ signal: AbortSignal.abort() });
    expect(await counted(stopping.seen, 'delivery.released')).toEqual({ unused: 3 });
    const hanging = await work({ endpoints: () => new Promise(() => undefined) }, 29_000, 4);
    expect(await total(hanging.seen, 'lease.lost')).toBe(4);
    for (const { seen } of [broken, limited, stopping, hanging]) {
      expect(await total(seen, 'delivery.in_flight')).toBe(0);
    }
  });

  test('count a delivery once that two schedulers of a process hold for a moment', async () => {
    const seen = collectors();
    const delivery = liveDelivery();
    seen.on.claimed?.([delivery]);
    seen.on.claimed?.([delivery]);
    expect(await total(seen, 'delivery.in_flight')).toBe(1);
    seen.on.leaseLost?.(delivery, null);
    seen.on.leaseLost?.(delivery, null);
    expect(await total(seen, 'delivery.in_flight')).toBe(0);
  });

  test('what a scheduler gives back that had stopped meanwhile was never in flight', async () => {
    let answer: () => void = () => undefined;
    const { seen, stage } = await work(
      {
        through: (store) => ({
          ...store,
          claim: async (request) => {
            const result = await store.claim(request);
            await new Promise<void>((resolve) => (answer = resolve));
            return result;
          },
        }),
      },
      0,
    );
    const stopped = stage.scheduler.stop();
    answer();
    await stopped;
    expect(await counted(seen, 'delivery.released')).toEqual({ unused: 1 });
    expect(await total(seen, 'delivery.in_flight')).toBe(0);
  });

  test.for([
    { error: new StoreError('store_full', 'no room'), type: 'store_full' },
    { error: new Error('secret-connection-string'), type: '_OTHER' },
  ])('a failing store is counted by operation and by $type', async ({ error, type }) => {
    const { seen } = await work(
      { through: (store) => ({ ...store, claim: () => Promise.reject(error) }) },
      250,
    );
    expect(await counted(seen, 'store.failures')).toEqual({ [`claim,${type}`]: 2 });
    const settles = await work({ through: shaky({ settle: true }).through }, 0);
    expect(await counted(settles.seen, 'store.failures')).toEqual({ 'settle,_OTHER': 1 });
  });
});

test('without an SDK nothing comes of it, and nothing breaks', async () => {
  const failures: unknown[] = [];
  const stage = setStage({
    on: [createTelemetry(), { callbackFailed: (error) => void failures.push(error) }],
  });
  stage.scheduler.start();
  await stage.enqueue(liveDelivery());
  await stage.clock.advance(0);
  expect(stage.store.size()).toMatchObject({ unfinished: 0, finished: 1 });
  expect(failures).toEqual([]);
});
