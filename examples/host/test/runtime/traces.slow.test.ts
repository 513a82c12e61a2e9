/** Traces: from the sender's request to the receiver's handler, with an SDK and without one. */
import { createServer } from 'node:http';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { continueTrace } from 'headgate/opentelemetry';
import { createPublisher } from 'headgate/publisher';
import { createReceiver } from 'headgate/receiver';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createEventIds } from '../../src/ids.js';
import { persistEvents } from '../../src/ingest/persist.js';
import { databases } from '../db/databases.js';
import { listening } from '../started.js';
import { hostOn, type HostWorld, receiver } from '../world.js';

const newEventId = createEventIds();

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const EVENT = { type: 'invoice.paid', data: { n: 1 } };

const publisherOf = ({ url, project, key }: HostWorld) => createPublisher({ url, project, key });

describe.each(databases())('$name', ({ open }) => {
  describe('without OpenTelemetry', () => {
    test('every delivery of an event carries the traceparent of the request, however it came in', async () => {
      const host = await hostOn(await open());
      const subscriber = await receiver();
      await host.endpoint(subscriber, { headers: { 'X-Team': 'billing' } });
      const { url } = await host.channel();
      await host.send(url, { n: 1 }, { traceparent: TRACEPARENT });
      await publisherOf(host).publish(EVENT, { traceparent: TRACEPARENT });
      await publisherOf(host).publishMany([EVENT, EVENT], { traceparent: TRACEPARENT });
      await expect.poll(() => subscriber.got.length, { timeout: 10_000 }).toBe(4);
      const sent = subscriber.got.map(({ headers }) => [headers.traceparent, headers['x-team']]);
      expect(sent).toEqual(Array.from({ length: 4 }, () => [TRACEPARENT, 'billing']));
    });

    test('without a valid one a delivery carries none', async () => {
      const host = await hostOn(await open());
      const subscriber = await receiver();
      await host.endpoint(subscriber);
      const { url } = await host.channel();
      const junk = ['', 'junk', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, 'x'.repeat(4_000)];
      for (const traceparent of junk) {
        expect(await host.send(url, { n: 1 }, { traceparent })).toMatchObject({ status: 202 });
      }
      await host.send(url, { n: 1 });
      await expect.poll(() => subscriber.got.length, { timeout: 10_000 }).toBe(5);
      expect(subscriber.got.filter(({ headers }) => headers.traceparent !== undefined)).toEqual([]);
    });

    test('replays and redeliveries carry it again', async () => {
      const host = await hostOn(await open());
      const subscriber = await receiver(500);
      await host.endpoint(subscriber, { retry_max_attempts: 1 });
      const { id } = await publisherOf(host).publish(EVENT, { traceparent: TRACEPARENT });
      const letters = async () =>
        (await host.call('GET', `/projects/${host.project}/dead-letters`)).json.items as { id: string }[];
      await expect.poll(async () => (await letters()).length, { timeout: 10_000 }).toBe(1);
      subscriber.answer = 204;
      const [letter] = await letters();
      await host.call('POST', `/projects/${host.project}/deliveries/${letter?.id}/retry`);
      await host.call('POST', `/projects/${host.project}/events/${id}/replay`, {});
      await expect.poll(() => subscriber.got.length, { timeout: 10_000 }).toBe(3);
      expect(subscriber.got.map(({ headers }) => headers.traceparent)).toEqual(Array(3).fill(TRACEPARENT));
    });

    test('an event keeps it if the process that took it ends before it is decided', async () => {
      const db = await open();
      const host = await hostOn(db);
      const subscriber = await receiver();
      await host.endpoint(subscriber);
      const { id: channelId } = await host.channel();
      const at = Date.now();
      const event = {
        ...{ id: newEventId(at), project: host.project, channelId, channelName: 'in', receivedAt: at },
        ...{ type: 'webhook.received', topic: 'webhook.received', givenTags: null, orderingKey: null },
        ...{ data: '{"body":{}}', rawPayload: '{}', traceparent: TRACEPARENT },
      };
      await db.transaction((tx) => persistEvents(tx, [{ event, key: null, decideAt: at }], at));
      await expect.poll(() => subscriber.got.length, { timeout: 10_000 }).toBe(1);
      expect(subscriber.got[0]?.headers.traceparent).toBe(TRACEPARENT);
    });
  });

  describe('with OpenTelemetry', () => {
    const exporter = new InMemorySpanExporter();
    beforeEach(() => {
      exporter.reset();
      trace.setGlobalTracerProvider(
        new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
      );
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    });
    afterEach(() => {
      trace.disable();
      context.disable();
    });

    /** Each finished span with the names of those above it, and the count of traces. */
    const tree = () => {
      const spans = exporter.getFinishedSpans();
      const known = new Map(spans.map((span) => [span.spanContext().spanId, span]));
      const line = (span: (typeof spans)[number] | undefined): readonly string[] =>
        span === undefined ? [] : [...line(known.get(span.parentSpanContext?.spanId ?? '')), span.name];
      return {
        lines: spans.map((span) => line(span).join(' > ')).sort(),
        traces: new Set(spans.map((span) => span.spanContext().traceId)).size,
      };
    };

    test('one trace leads from the sender to the handler, through every attempt', async () => {
      const host = await hostOn(await open(), { OTEL_SERVICE_NAME: 'hooks' });
      const url = await customer(host, 1);
      await host.endpoint({ url }, { retry_delays: [1] });
      await continueTrace(null, { name: 'sender', kind: 'producer' }, (traceparent) =>
        publisherOf(host).publish(EVENT, { traceparent }),
      );
      const ingest = 'sender > headgate.event.ingest';
      const attempt = `${ingest} > headgate.delivery.attempt`;
      const expected = [
        ...['sender', ingest, `${ingest} > headgate.event.decide`],
        ...[attempt, attempt, `${attempt} > handler`],
      ];
      await expect.poll(tree, { timeout: 15_000 }).toEqual({ lines: expected.sort(), traces: 1 });
    });

    test('events without a trace begin one each, and those of a batch share it', async () => {
      const host = await hostOn(await open(), { OTEL_SERVICE_NAME: 'hooks' });
      const url = await customer(host, 0);
      await host.endpoint({ url });
      await host.send((await host.channel()).url, { n: 1 });
      await publisherOf(host).publishMany([EVENT, EVENT]);
      const count = (line: string) => tree().lines.filter((one) => one === line).length;
      await expect
        .poll(() => count('headgate.event.ingest > headgate.delivery.attempt > handler'), { timeout: 10_000 })
        .toBe(3);
      expect(tree().traces).toBe(2);
      expect(count('headgate.event.ingest')).toBe(2);
    });

    test('a request that is refused has a span, with the class of the problem', async () => {
      const host = await hostOn(await open(), { OTEL_SERVICE_NAME: 'hooks' });
      await host.send(`${host.url}/in/unknown`, {});
      expect(exporter.getFinishedSpans().map(({ name, attributes }) => [name, attributes])).toEqual([
        ['headgate.event.ingest', { 'error.type': 'Problem' }],
      ]);
    });
  });
});

/** A customer's receiver, whose handler continues the trace. Its first requests fail before they reach it. */
async function customer(host: HostWorld, failures: number): Promise<string> {
  let left = failures;
  const { node } = createReceiver({
    secrets: () => secretsOf(host),
    handle: (_, __, request) =>
      continueTrace(request.header('traceparent'), { name: 'handler' }, () => undefined),
  });
  const server = createServer((request, response) => {
    if (left-- > 0) response.writeHead(500).end();
    else void node(request, response);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return listening(server);
}

/** The signing secrets of all channels of the project. */
async function secretsOf({ project, call }: HostWorld): Promise<readonly string[]> {
  const channels = (await call('GET', `/projects/${project}/channels`)).json.items as { id: string }[];
  const all = await Promise.all(
    channels.map(({ id }) => call('GET', `/projects/${project}/channels/${id}/secrets`)),
  );
  return all.flatMap(({ json }) => (json.items as { secret: string }[]).map(({ secret }) => secret));
}
