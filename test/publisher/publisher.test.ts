/** The publisher, against a server that answers as it is told. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createPublisher,
  OptionError,
  PublisherError,
  type PublisherOptions,
  type PublishResult,
} from '../../src/publisher/index.js';

interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { events?: { data: unknown; idempotency_key: string }[] };
}
type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'hang' | 'break';

/** @param answers - One for each request; the last one for all further ones. */
async function stage(
  answers: (Answer | ((asked: Asked) => Answer))[],
  options: Partial<PublisherOptions> = {},
) {
  const requests: Asked[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const text = bytes.toString();
      const asked = {
        path: request.url ?? '',
        headers: request.headers,
        text,
        body: JSON.parse(text) as Asked['body'],
      };
      const made = answers[Math.min(requests.push(asked), answers.length) - 1];
      const answer = typeof made === 'function' ? made(asked) : (made ?? 'break');
      if (answer === 'break') request.socket.destroy();
      else if (answer !== 'hang') {
        const { status, body = {}, headers = {} } = answer;
        response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { requests, url, publisher: createPublisher({ url, project: 'p1', key: 'hg_key', ...options }) };
}

const TAKEN = { status: 202, body: { id: 'evt_1', status: 'received', duplicate: false } };
const EVENT = { type: 'invoice.paid', data: { n: 1 } };
const problem = (status: number, code: string, more: object = {}) => ({
  status,
  body: { status, code, detail: 'so', ...more },
});

/** The error of a call. */
async function errorOf(call: Promise<unknown>): Promise<PublisherError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PublisherError);
  return error as PublisherError;
}

describe('publish', () => {
  test('sends an event with a key of its own, and resolves with its id', async () => {
    const { publisher, requests } = await stage([TAKEN], { channel: 'c1' });
    const event = { ...EVENT, tags: ['eu'], ordering_key: 'in_42' };
    expect(await publisher.publish(event)).toEqual({ id: 'evt_1', duplicate: false });
    const [asked] = requests;
    expect(asked).toMatchObject({ path: '/projects/p1/events', body: { ...event, channel_id: 'c1' } });
    expect(asked!.headers).toMatchObject({
      authorization: 'Bearer hg_key',
      'content-type': 'application/json',
    });
    expect(asked!.headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/);
    await publisher.publish(EVENT);
    expect(requests[1]!.headers['idempotency-key']).not.toBe(asked!.headers['idempotency-key']);
  });

  test.each([
    [{ status: 503 }],
    [{ status: 429 }],
    [{ status: 408 }],
    [{ status: 502, body: '<html>' }],
    ['break' as const],
  ])('after %j it tries again, with the same key and the same bytes', async (first) => {
    const { publisher, requests } = await stage([
      first,
      first,
      { ...TAKEN, body: { id: 'evt_2', duplicate: true } },
    ]);
    expect(await publisher.publish({ ...EVENT, idempotencyKey: 'order 7'.replace(' ', '-') })).toEqual({
      ...{ id: 'evt_2', duplicate: true },
    });
    expect(requests.map(({ headers, text }) => [headers['idempotency-key'], text])).toEqual(
      Array.from({ length: 3 }, () => ['order-7', requests[0]!.text]),
    );
  });

  test('waits as long as the host asks, and half a second or less at first', async () => {
    const { publisher } = await stage([{ status: 503, headers: { 'retry-after': '1' } }, TAKEN]);
    const began = performance.now();
    await publisher.publish(EVENT);
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
  });

  test('gives up after the given number of attempts, with a key to go on with', async () => {
    const { publisher, requests } = await stage([{ status: 503 }], { maxAttempts: 2 });
    const error = await errorOf(publisher.publish({ ...EVENT, idempotencyKey: 'k' }));
    expect(error).toMatchObject({ code: 'unavailable', status: 503, idempotencyKey: 'k' });
    expect(error.message).toBe(
      'every attempt failed: the host answered with 503; publish it again with its idempotencyKey',
    );
    expect(requests).toHaveLength(2);
  });

  test('an attempt that hangs ends', async () => {
    const { publisher, requests } = await stage(['hang', TAKEN], { timeoutMs: 100 });
    await publisher.publish(EVENT);
    expect(requests).toHaveLength(2);
  });

  test.each([
    [
      problem(400, 'invalid_request', { issues: [{ code: 'x', pointer: '/type', message: 'no' }] }),
      'invalid_event',
    ],
    [problem(413, 'body_too_large'), 'invalid_event'],
    [problem(401, 'unauthorized'), 'unauthorized'],
    [problem(403, 'forbidden'), 'unauthorized'],
    [problem(404, 'not_found'), 'unauthorized'],
    [problem(409, 'idempotency_conflict'), 'idempotency_conflict'],
    [{ status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 'unauthorized'],
    [{ status: 200, body: '<html>' }, 'unavailable'],
  ])('%j is final: %s', async (answer, code) => {
    const { publisher, requests } = await stage([answer]);
    const error = await errorOf(publisher.publish(EVENT));
    expect(error).toMatchObject({ code, status: answer.status });
    const { body } = answer as { readonly body?: unknown };
    expect(error.issues).toEqual((Object(body) as { issues?: unknown }).issues ?? []);
    expect(requests).toHaveLength(1);
  });

  test('a signal ends an attempt, and the wait for the next one', async () => {
    for (const answer of ['hang', { status: 503 }] as const) {
      const { publisher } = await stage([answer]);
      const controller = new AbortController();
      const publishing = errorOf(
        publisher.publish({ ...EVENT, idempotencyKey: 'k' }, { signal: controller.signal }),
      );
      await sleep(50);
      controller.abort('enough');
      expect(await publishing).toMatchObject({ code: 'aborted', idempotencyKey: 'k', cause: 'enough' });
    }
  });

  test('data that is not JSON, and a key that no header can hold, are told before anything is sent', async () => {
    const { publisher, requests } = await stage([TAKEN]);
    const data: Record<string, unknown> = {};
    data.self = data;
    expect(await errorOf(publisher.publish({ type: 'a', data }))).toMatchObject({ code: 'invalid_event' });
    const wrong = await errorOf(publisher.publish({ ...EVENT, idempotencyKey: 'a\nb' }));
    expect(wrong.message).toBe('idempotencyKey: give 1 to 255 visible ASCII characters');
    expect(requests).toEqual([]);
  });
});

const accepted = ({ body }: Asked): Answer => ({
  status: 202,
  body: { results: body.events?.map((one) => ({ id: `evt_${JSON.stringify(one.data)}`, duplicate: false })) },
});
const ids = (results: readonly PublishResult[]) => results.map((one) => (one.ok ? one.id : one.error.code));

describe('publishMany', () => {
  const events = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ type: 'a', data: [n] as object }));

  test('sends a hundred at a time, and answers in order', async () => {
    const { publisher, requests } = await stage([accepted]);
    const results = await publisher.publishMany(events(250));
    expect(ids(results)).toEqual(Array.from({ length: 250 }, (_, n) => `evt_[${n}]`));
    expect(requests.map(({ path, body }) => [path, body.events?.length])).toEqual([
      ['/projects/p1/events/batch', 100],
      ['/projects/p1/events/batch', 100],
      ['/projects/p1/events/batch', 50],
    ]);
    const keys = requests.flatMap(({ body }) => body.events?.map((one) => one.idempotency_key) ?? []);
    expect(new Set(keys).size).toBe(250);
  });

  test('divides large events among requests', async () => {
    const { publisher, requests } = await stage([accepted]);
    const large = Array.from({ length: 6 }, () => ({ type: 'a', data: { text: 'ü'.repeat(500_000) } }));
    await publisher.publishMany(large);
    for (const { text } of requests) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(5_242_880);
    expect(requests.length).toBeLessThan(6);
  });

  test('tries those again that the host could not take, with their keys, and tells of those that it refused', async () => {
    const { publisher, requests } = await stage([
      {
        status: 202,
        body: {
          results: [
            { id: 'evt_0', duplicate: false },
            { problem: { status: 400, code: 'invalid_request', detail: 'no', issues: [] } },
            { problem: { status: 503, code: 'store_unavailable', detail: 'away' } },
          ],
        },
      },
      accepted,
    ]);
    const results = await publisher.publishMany(events(3));
    expect(ids(results)).toEqual(['evt_0', 'invalid_event', 'evt_[2]']);
    const [first, second] = requests.map(({ body }) => body.events?.map((one) => one.idempotency_key));
    expect(second).toEqual([first?.[2]]);
  });

  test('a request that fails as a whole is the result of each of its events, and of no other', async () => {
    const { publisher } = await stage([accepted, { status: 503 }], { maxAttempts: 1 });
    const results = await publisher.publishMany(events(101));
    expect(ids(results).slice(-2)).toEqual(['evt_[99]', 'unavailable']);
    const { publisher: refused } = await stage([problem(401, 'unauthorized')]);
    expect(ids(await refused.publishMany(events(2)))).toEqual(['unauthorized', 'unauthorized']);
  });

  test('none is nothing to do', async () => {
    const { publisher, requests } = await stage([accepted]);
    expect(await publisher.publishMany([])).toEqual([]);
    expect(requests).toEqual([]);
  });
});

test.each([
  [{ url: 'ftp://example.com' }, 'url'],
  [{ url: 'https://user@example.com' }, 'url'],
  [{ project: '' }, 'project'],
  [{ key: 'a b' }, 'key'],
  [{ maxAttempts: 0 }, 'maxAttempts'],
  [{ timeoutMs: NaN }, 'timeoutMs'],
  [{ fetch: 'fetch' as never }, 'fetch'],
])('the option %j is refused by its name, and no value is quoted', (wrong, name) => {
  const options = { url: 'https://example.com', project: 'p', key: 'hg_secret', ...wrong };
  const make = () => createPublisher(options);
  expect(make).toThrow(OptionError);
  expect(make).toThrow(new RegExp(`^${name}: unknown or invalid`));
  expect(make).not.toThrow('hg_secret');
});

test('a path in the address is kept', async () => {
  const { url, requests } = await stage([TAKEN]);
  await createPublisher({ url: `${url}/hooks/`, project: 'a b', key: 'k' }).publish(EVENT);
  expect(requests[0]!.path).toBe('/hooks/projects/a%20b/events');
});
