/** Traces: attempts within the trace of their event, and work that continues the trace of a request. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createHttpTransport } from '../../../src/adapters/http/index.js';
import { continueTrace, createTelemetry } from '../../../src/adapters/opentelemetry/index.js';
import type { AttemptTrace, SchedulerCallbacks } from '../../../src/delivery/index.js';
import { liveDelivery } from '../../delivery/arbitraries.js';
import { setStage, type StageOptions } from '../../delivery/stage.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;
const signer = { headers: () => ({ traceparent: TRACEPARENT }) };

let exporter: InMemorySpanExporter;
let provider: BasicTracerProvider;
const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
/** The `traceparent` of a span. */
const headerOf = (span: ReadableSpan | undefined): string | undefined =>
  span && `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`;

beforeEach(() => {
  exporter = new InMemorySpanExporter();
  provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterEach(() => {
  trace.disable();
  context.disable();
});

/** A scheduler that sends one delivery, for a day. */
async function deliver(options: StageOptions) {
  const stage = setStage(options);
  stage.scheduler.start();
  await stage.enqueue(liveDelivery());
  await stage.clock.advance(86_400_000);
  const sent = stage.transport.sent.map(({ request }) => request.headers.traceparent);
  return { stage, sent };
}

describe('an attempt', () => {
  test('is a child of the traceparent that the signer gave, and its request carries its own', async () => {
    const { sent } = await deliver({
      ...{ signer, on: createTelemetry() },
      answer: (_, earlier) => ({ outcome: earlier === 0 ? 503 : 204 }),
    });
    const ids = spans().map((span) => [span.spanContext().traceId, span.parentSpanContext?.spanId]);
    expect(ids).toEqual([
      [TRACE, PARENT],
      [TRACE, PARENT],
    ]);
    expect(spans().map(({ parentSpanContext }) => parentSpanContext?.isRemote)).toEqual([true, true]);
    expect(sent).toEqual(spans().map(headerOf));
    expect(new Set(sent).size).toBe(2);
  });

  test('begins a trace of its own without one, and passes that on', async () => {
    const { sent } = await deliver({ signer: { headers: () => ({}) }, on: createTelemetry() });
    expect(spans().map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined]);
    expect(sent).toEqual([headerOf(spans()[0])]);
  });

  test('carries what the signer gave where nothing traces it', async () => {
    const { sent } = await deliver({ signer });
    expect(sent).toEqual([TRACEPARENT]);
  });

  test('carries it also where there is no SDK', async () => {
    trace.disable();
    const { sent } = await deliver({ signer, on: createTelemetry() });
    expect(sent).toEqual([TRACEPARENT]);
  });

  test('that was given up is an error, whatever its answer would have been', async () => {
    const stage = setStage({ on: createTelemetry(), answer: () => ({ outcome: 204, afterMs: 5_000 }) });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    await stage.scheduler.stop({ signal: AbortSignal.abort() });
    expect(spans().map(({ status }) => status)).toEqual([{ code: SpanStatusCode.ERROR, message: 'aborted' }]);
  });

  test('of an endpoint that is gone has a span, though nothing is sent', async () => {
    await deliver({ endpoints: () => null, on: createTelemetry() });
    expect(spans().map(({ attributes }) => attributes['error.type'])).toEqual(['endpoint_gone']);
  });

  test('has one traceparent and one span beside an instrumented HTTP client', async () => {
    const undici = new UndiciInstrumentation();
    undici.setTracerProvider(provider);
    undici.enable();
    onTestFinished(() => undici.disable());
    const got: IncomingHttpHeaders[] = [];
    const server = createServer((request, response) => {
      got.push(request.headers);
      response.writeHead(204).end();
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const http = createHttpTransport({ allow: ['127.0.0.0/8'] });
    onTestFinished(() => http.close());
    const stage = setStage({
      ...{ signer, on: createTelemetry(), transport: () => http },
      endpoints: () => ({ url, retry_max_attempts: 1, retry_backoff_base_seconds: 1 }),
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    await stage.scheduler.idle();
    expect(spans().map(({ name }) => name)).toEqual(['headgate.delivery.attempt']);
    expect(got.map(({ traceparent }) => traceparent)).toEqual([headerOf(spans()[0])]);
    // The instrumentation is at work: a request outside of an attempt has its span.
    await fetch(url);
    expect(spans()).toHaveLength(2);
  });
});

describe('a callback that traces does not disturb an attempt', () => {
  const traced = (made: unknown): SchedulerCallbacks => ({ attempting: () => made as AttemptTrace });
  const ended = (): void => undefined;
  const thrower = (): never => {
    throw new Error('broken');
  };
  test.for<[string, SchedulerCallbacks, failures: number]>([
    ['throws', { attempting: thrower }, 1],
    ['returns no trace', traced(7), 0],
    ['returns a promise', traced(Promise.resolve()), 0],
    ['never sends', traced({ traceparent: null, run: () => undefined, ended }), 0],
    ['throws before it sends', traced({ traceparent: null, run: thrower, ended }), 1],
    [
      'sends twice',
      traced({
        ...{ traceparent: null, ended },
        run(send: () => unknown) {
          send();
          send();
        },
      }),
      0,
    ],
    [
      'throws at the end',
      traced({ traceparent: null, run: (send: () => unknown) => send(), ended: thrower }),
      1,
    ],
    [
      'names an invalid traceparent',
      traced({ traceparent: 'x\r\ny', run: (send: () => unknown) => send(), ended }),
      0,
    ],
  ])('one that %s', async ([, on, count]) => {
    const failures: unknown[] = [];
    const { stage, sent } = await deliver({
      ...{ signer },
      on: [on, { callbackFailed: (error) => void failures.push(error) }],
    });
    expect(sent).toEqual([TRACEPARENT]);
    expect(stage.store.size()).toMatchObject({ unfinished: 0, finished: 1 });
    expect(failures).toHaveLength(count);
  });

  test('the first of several that returns a trace has the attempt', async () => {
    const ends: string[] = [];
    const named = (name: string, digit: string): SchedulerCallbacks => ({
      attempting: () => ({
        traceparent: `00-${TRACE}-${digit.repeat(16)}-01`,
        run: (send) => send(),
        ended: (outcome) => void ends.push(`${name} ${outcome?.ok}`),
      }),
    });
    const { sent } = await deliver({ signer, on: [{}, named('first', '1'), named('second', '2')] });
    expect(sent).toEqual([`00-${TRACE}-${'1'.repeat(16)}-01`]);
    expect(ends).toEqual(['first true']);
  });
});

describe('continueTrace', () => {
  const active = (): string | undefined => trace.getSpanContext(context.active())?.spanId;

  test('runs work in a child of the traceparent, and hands over its own', async () => {
    const result = await continueTrace(TRACEPARENT, { name: 'handle' }, async (own) => {
      await Promise.resolve();
      return { own, active: active() };
    });
    const [span] = spans();
    expect(span).toMatchObject({
      name: 'handle',
      kind: SpanKind.CONSUMER,
      status: { code: SpanStatusCode.UNSET },
    });
    expect(span?.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: PARENT, isRemote: true });
    expect(result).toEqual({ own: headerOf(span), active: span?.spanContext().spanId });
  });

  test('descends from the active span if that is in the trace, as in an instrumented server', () => {
    continueTrace(TRACEPARENT, { name: 'server', kind: 'server' }, () =>
      continueTrace(TRACEPARENT, { name: 'handler' }, () => undefined),
    );
    const [handler, server] = spans();
    expect(handler?.parentSpanContext?.spanId).toBe(server?.spanContext().spanId);
    expect(server?.kind).toBe(SpanKind.SERVER);
  });

  test('leaves the active span if that is in another trace', () => {
    provider.getTracer('other').startActiveSpan('other', (other) => {
      continueTrace(TRACEPARENT, { name: 'handler' }, () => undefined);
      other.end();
    });
    expect(spans()[0]?.parentSpanContext?.spanId).toBe(PARENT);
  });

  test.for([undefined, null, '', 'junk'])('begins a trace without a valid header: %j', (header) => {
    const own = continueTrace(header, { name: 'first' }, (mine) => mine);
    expect(spans()[0]?.parentSpanContext).toBeUndefined();
    expect(own).toBe(headerOf(spans()[0]));
  });

  test.for<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new TypeError('secret');
      },
    ],
    ['rejects', () => Promise.reject(new TypeError('secret'))],
  ])('work that %s ends the span with the class of the error alone', async ([, work]) => {
    await expect(
      Promise.resolve().then(() => continueTrace(TRACEPARENT, { name: 'handle' }, work)),
    ).rejects.toThrow('secret');
    const [span] = spans();
    expect([span?.attributes, span?.status]).toEqual([
      { 'error.type': 'TypeError' },
      { code: SpanStatusCode.ERROR },
    ]);
    expect(JSON.stringify([span?.attributes, span?.status, span?.events])).not.toContain('secret');
  });

  test('without an SDK the work gets the traceparent of its request', () => {
    trace.disable();
    expect(continueTrace(TRACEPARENT, { name: 'handle' }, (own) => own)).toBe(TRACEPARENT);
    expect(continueTrace(null, { name: 'handle' }, (own) => own)).toBeNull();
  });
});
