/** The exchange that the transport keeps of an attempt: the request as it was written, the answer, and timings. */
import type { LookupFunction } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Exchange, TransportAnswer } from '../../../src/delivery/transport.js';
import { certificate } from '../../hostile/certificates.js';
import { response } from '../../hostile/receivers.js';
import { ending, hostileReceivers } from '../../hostile/table.js';
import {
  built,
  loopbackTransport,
  post,
  rawReceiver,
  receiver,
  secureReceiver,
  turnsOfTheLoop,
} from './receivers.js';

const exchangeOf = (answer: TransportAnswer): Exchange => {
  if (answer.exchange === undefined) throw new Error('no exchange was kept');
  return answer.exchange;
};

/** Receivers that end an attempt before its deadline. */
const ANSWERING = hostileReceivers.filter(({ recorded: [first] }) => first && ending(first) !== 'timeout');
const keeping = { exchange: true } as const;
const bodyOf = ({ response }: Exchange): string => Buffer.from(response?.body ?? []).toString();

describe('the request', () => {
  test('is the head that arrived, of each of many at once, and none of those that say so', async () => {
    const { url, requests } = await receiver(response(200, 'ok'));
    const transport = loopbackTransport(keeping);
    const { signal } = new AbortController();
    const sent = Array.from({ length: 60 }, (_, n) => {
      const request = { url: `${url}/${n}`, headers: { 'X-Nth': String(n) }, body: Buffer.from(`${n}`) };
      return transport.send(n % 3 === 0 ? { ...request, exchange: false } : request, signal);
    });
    const answers = await Promise.all(sent);
    for (const [n, answer] of answers.entries()) {
      const arrived = requests.find((one) => one.includes(`POST /in/${n} `));
      if (n % 3 === 0) expect(answer).toEqual({ ok: true, status: 200 });
      else expect(`${exchangeOf(answer).request_head}${n}`).toBe(arrived);
    }
  });

  test('is null if nothing was written', async () => {
    const { url, close } = await receiver(response(200));
    await close();
    const answer = await post(loopbackTransport(keeping), url);
    expect(answer).toMatchObject({ ok: false, failure: 'connection_refused' });
    const { request_head, response: none, timings } = exchangeOf(answer);
    expect([request_head, none]).toEqual([null, null]);
    expect(timings.total_ms).toBeGreaterThan(0);
  });

  test('a URL that is refused has no exchange', async () => {
    const answer = await post(loopbackTransport(keeping), 'ftp://127.0.0.1/');
    expect(answer.exchange).toBeUndefined();
  });
});

describe('the answer', () => {
  test('has its headers as they came, and its body', async () => {
    const { url } = await receiver(response(422, '{"error":"é"}', 'X-A: 1\r\nx-a: 2\r\nX-B: \xe9\r\n'));
    const answer = await post(loopbackTransport(keeping), url);
    expect(answer).toMatchObject({ ok: false, failure: 'http_status', status: 422 });
    const exchange = exchangeOf(answer);
    expect(exchange.response).toMatchObject({ status: 422, is_complete: true });
    expect(exchange.response?.headers.slice(0, 2)).toEqual([
      ['X-A', '1'],
      ['x-a', '2'],
    ]);
    expect(bodyOf(exchange)).toBe('{"error":"é"}');
  });

  test.for([
    [16_383, true],
    [16_384, true],
    [16_385, false],
    [40_000, false],
  ] as const)(
    'of %i bytes: the first 16 KiB are kept, and the connection serves again',
    async ([size, whole]) => {
      const { url, connections } = await receiver(response(200, 'x'.repeat(size)));
      const transport = loopbackTransport(keeping);
      for (let n = 0; n < 3; n++) {
        const exchange = exchangeOf(await post(transport, url));
        expect(bodyOf(exchange)).toHaveLength(Math.min(size, 16_384));
        expect(exchange.response?.is_complete).toBe(whole);
        await turnsOfTheLoop();
      }
      expect(connections()).toBe(1);
    },
  );

  test('a signal that fires while the body comes ends it, and the outcome stays', async () => {
    const abandon = new AbortController();
    const { url } = await receiver((socket) => {
      socket.write('HTTP/1.1 201 Made\r\nContent-Length: 9\r\n\r\nabc');
      setTimeout(() => abandon.abort(), 20);
    });
    const answer = await post(loopbackTransport(keeping), url, abandon.signal);
    expect(answer).toMatchObject({ ok: true, status: 201 });
    expect(bodyOf(exchangeOf(answer))).toBe('abc');
  });
});

describe('the outcome', () => {
  test.for(ANSWERING)('is the same with an exchange as without: $does, $how', async ({ build }) => {
    const [plain, kept] = await Promise.all([built(build), built(build)]);
    const without = await post(loopbackTransport({ timeoutMs: 1_000 }), plain.url);
    const { exchange, ...outcome } = await post(
      loopbackTransport({ timeoutMs: 1_000, ...keeping }),
      kept.url,
    );
    expect(outcome).toEqual(without);
    expect(exchange?.response?.body.length ?? 0).toBeLessThanOrEqual(16_384);
    if (outcome.ok) expect(exchange?.response).not.toBeNull();
  });

  test('waits for no body longer than a second, or than the attempt may take', async () => {
    const { url } = await rawReceiver((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'),
    );
    for (const [timeoutMs, most] of [
      [10_000, 1_500],
      [100, 150],
    ] as const) {
      const answer = await post(loopbackTransport({ ...keeping, timeoutMs }), url);
      expect(answer).toMatchObject({ ok: true, exchange: { response: { is_complete: false } } });
      expect(exchangeOf(answer).timings.total_ms).toBeLessThan(most * 10);
    }
  });
});

test('timings name the steps that were taken', async () => {
  const good = certificate(['DNS:hooks.test']);
  const { port } = await secureReceiver(response(200), good);
  const lookup: LookupFunction = (_name, _options, callback) =>
    void setTimeout(() => callback(null, '127.0.0.1', 4), 5);
  const transport = loopbackTransport({ lookup, ca: good.cert, ...keeping });
  const first = exchangeOf(await post(transport, `https://hooks.test:${port}/in`)).timings;
  for (const ms of Object.values(first)) expect(ms).toBeGreaterThan(0);
  const { total_ms, ...steps } = first;
  const sum = Object.values(steps).reduce<number>((all, ms) => all + (ms ?? 0), 0);
  expect(sum).toBeLessThanOrEqual(total_ms);
  await turnsOfTheLoop();
  const second = exchangeOf(await post(transport, `https://hooks.test:${port}/in`)).timings;
  expect(second).toMatchObject({ dns_ms: null, connect_ms: null, tls_ms: null });
});
