/** The exchange of an attempt over the API: the request as the receiver got it, and its answer. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import type { Exchange } from 'headgate/delivery';
import { describe, expect, onTestFinished, test } from 'vitest';
import { databases } from '../db/databases.js';
import { exchanges } from '../exchanges.js';
import { type HostWorld, hostOn } from '../world.js';

/** An attempt as the API shows it, with what these tests look at. */
interface Attempt {
  readonly delivery_id: string;
  readonly number: number;
  readonly started_at: string;
  readonly ok: boolean;
  readonly status_code: number;
  readonly exchange: {
    readonly request: {
      readonly target: string;
      readonly headers: readonly { readonly name: string; readonly value: string }[];
      readonly body: { readonly text: string };
    };
    readonly response: {
      readonly headers: readonly { readonly name: string }[];
      readonly body: { readonly text: string };
    };
    readonly timings: { readonly total_ms: number };
  } | null;
  readonly exchange_missing: string | null;
}

/** A request as it arrived. */
interface Arrived {
  readonly message: IncomingMessage;
  readonly body: string;
}

/** A receiver with an answer of its own, and what has arrived. */
async function opened(answer: (arrived: Arrived) => { status: number; body: string | Buffer }) {
  const got: Arrived[] = [];
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const arrived = { message, body: (await buffer(message)).toString() };
    got.push(arrived);
    const { status, body } = answer(arrived);
    response.writeHead(status, { 'X-Answer': ['one', 'two'] }).end(body);
  };
  const server = createServer((message, response) => void serve(message, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?key=1` };
}

/** The attempts of an event, each with its exchange, in the order in which they were made. */
async function attemptsOf(
  { call, project }: HostWorld,
  event: string,
  count: number,
): Promise<readonly Attempt[]> {
  const list = async () =>
    (await call('GET', `/projects/${project}/events/${event}/attempts`)).json.items as readonly Attempt[];
  await expect.poll(async () => (await list()).length).toBe(count);
  const whole = (await list()).map(async ({ delivery_id, number }) => {
    const path = `/projects/${project}/deliveries/${delivery_id}/attempts/${number}`;
    return (await call('GET', path)).json as Attempt;
  });
  return (await Promise.all(whole)).toSorted((a, b) => a.started_at.localeCompare(b.started_at));
}

/** The id of what was made or listed. */
interface WithId {
  readonly id: string;
}

/** The exchange of an attempt that has one. */
function exchangeOf({ exchange }: Attempt): NonNullable<Attempt['exchange']> {
  if (exchange === null) throw new Error('no exchange was kept');
  return exchange;
}

describe.each(databases())('$name', ({ open }) => {
  test('has each request as it arrived, whatever made it, and the answer', async () => {
    const world = await hostOn(await open());
    const { call, project, send } = world;
    let status = 500;
    const { got, url } = await opened(() => ({ status, body: `{"said":"é ${status}"}` }));
    const settings = {
      url,
      retry_max_attempts: 2,
      retry_delays: [1],
      headers: { 'X-Token': 'secret of theirs' },
    };
    const endpoint = (await call('POST', `/projects/${project}/endpoints`, settings)).json as WithId;
    const match = { path: 'data.body.n', op: 'exists' };
    const ops = [{ op: 'set', path: 'data.body.n', value: 'by a rule' }];
    const rule = { name: 'sets', stage: 'deliver', priority: 1, match, action: { type: 'transform', ops } };
    const { json: made, status: created } = await call('POST', `/projects/${project}/rules`, rule);
    expect(created, JSON.stringify(made)).toBe(201);
    const { url: address } = await world.channel();
    const { id } = (await send(address, '{ "n": 12345678901234567890 }')).json as WithId;
    await attemptsOf(world, id, 2);
    const replays = `/projects/${project}/events/${id}/replay`;
    await call('POST', replays, { endpoint_ids: [endpoint.id] });
    await attemptsOf(world, id, 4);
    await call('DELETE', `/projects/${project}/rules/${made.id}`);
    await call('POST', replays, { rules: 'again' });
    await attemptsOf(world, id, 6);
    status = 201;
    const letters = (await call('GET', `/projects/${project}/dead-letters`)).json.items;
    for (const letter of letters) await call('POST', `/projects/${project}/deliveries/${letter.id}/retry`);

    const attempts = await attemptsOf(world, id, 9);
    expect(new Set(got.map(({ body }) => body)).size).toBe(2);
    for (const attempt of attempts) {
      const { number, ok, status_code } = attempt;
      const exchange = exchangeOf(attempt);
      const arrived = got.find(({ message: { headers } }) => {
        const sent = new Map(exchange.request.headers.map(({ name, value }) => [name.toLowerCase(), value]));
        return ['svc-signature', 'svc-event-id', 'svc-origin', 'traceparent'].every(
          (name) => sent.get(name) === headers[name],
        );
      });
      expect(arrived, `attempt ${number}`).toBeDefined();
      const { message, body } = arrived!;
      const raw = message.rawHeaders.flatMap((name, i, all) =>
        i % 2 === 0 ? [{ name, value: all[i + 1] }] : [],
      );
      const shown = raw.map((one) => (one.name === 'X-Token' ? { ...one, value: '••••••••' } : one));
      expect(exchange.request).toEqual({
        target: '/hooks?key=1',
        headers: shown,
        body: { encoding: 'utf8', text: body },
      });
      expect(exchange.response).toMatchObject({ status: ok ? 201 : 500, is_complete: true });
      expect(exchange.response.body.text).toBe(`{"said":"é ${status_code}"}`);
      expect(exchange.response.headers.filter(({ name }) => name === 'X-Answer')).toHaveLength(2);
      expect(exchange.timings.total_ms).toBeGreaterThan(0);
    }
  });

  test('is sealed in the database, and opened by its own attempt alone', async () => {
    const db = await open();
    const world = await hostOn(db);
    const { url } = await opened(() => ({ status: 200, body: 'a secret answer' }));
    await world.call('POST', `/projects/${world.project}/endpoints`, { url });
    const { url: address } = await world.channel();
    for (const n of [1, 2]) {
      const { id } = (await world.send(address, { n })).json as WithId;
      await attemptsOf(world, id, 1);
    }
    const rows = await db.all<{ exchange: string }>('select exchange from {attempts}');
    expect(rows).toHaveLength(2);
    for (const { exchange } of rows) {
      expect(exchange).toMatch(/^v1\./);
      expect(exchange).not.toContain('secret');
    }
    await db.run('update {attempts} set exchange = $1', [rows[0]!.exchange]);
    const { items } = (await world.call('GET', `/projects/${world.project}/deliveries`)).json;
    const paths = (items as readonly WithId[]).map(
      ({ id }) => `/projects/${world.project}/deliveries/${id}/attempts/1`,
    );
    const found = await Promise.all(
      paths.map(async (path: string) => (await world.call('GET', path)).json as Attempt),
    );
    expect(found.filter(({ exchange }) => exchange === null)).toHaveLength(1);
    const missing = found.map(({ exchange_missing: why }) => why);
    expect(missing.toSorted()).toEqual([null, 'sealed'].toSorted());
  });

  test('is not kept for an endpoint that says so, nor is the body read', async () => {
    const world = await hostOn(await open());
    const { url } = await opened(() => ({ status: 200, body: 'x' }));
    const endpoints = `/projects/${world.project}/endpoints`;
    const made = (await world.call('POST', endpoints, { url, exchange: false })).json as WithId &
      Pick<Attempt, 'exchange'>;
    expect(made.exchange).toBe(false);
    const { url: address } = await world.channel();
    const first = (await world.send(address, { n: 1 })).json as WithId;
    expect(await attemptsOf(world, first.id, 1)).toMatchObject([
      { exchange: null, exchange_missing: 'not_kept' },
    ]);
    await world.call('PATCH', `${endpoints}/${made.id}`, { exchange: true });
    const second = (await world.send(address, { n: 2 })).json as WithId;
    expect((await attemptsOf(world, second.id, 1))[0]?.exchange?.response.body.text).toBe('x');
  });

  test('has the requests that went to a receiver of the service itself', async () => {
    const world = await hostOn(await open());
    const kept = (await world.call('POST', `/projects/${world.project}/receivers`, { name: 'r' })).json as {
      readonly url: string;
    };
    await world.call('POST', `/projects/${world.project}/endpoints`, { url: kept.url });
    const { url: address } = await world.channel();
    const { id } = (await world.send(address, { n: 1 })).json as WithId;
    const [attempt] = await attemptsOf(world, id, 1);
    const exchange = exchangeOf(attempt!);
    expect(exchange.request.target).toBe(new URL(kept.url).pathname);
    expect(exchange.request.body.text).toContain('"n":1');
    expect(exchange.response).toMatchObject({ status: 200 });
  });

  test('unknown attempts, and those of other projects, are not found', async () => {
    const world = await hostOn(await open());
    const { url } = await opened(() => ({ status: 200, body: '' }));
    await world.call('POST', `/projects/${world.project}/endpoints`, { url });
    const { id } = (await world.send((await world.channel()).url, { n: 1 })).json as WithId;
    await attemptsOf(world, id, 1);
    const [{ id: delivery }] = (await world.call('GET', `/projects/${world.project}/deliveries`)).json.items;
    const statusOf = async (path: string) => (await world.call('GET', path)).status;
    expect(await statusOf(`/projects/${world.project}/deliveries/${delivery}/attempts/2`)).toBe(404);
    expect(await statusOf(`/projects/${world.project}/deliveries/${delivery}/attempts/0`)).toBe(404);
  });
});

test('every exchange is opened as it was sealed', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
  const ms = fc.option(fc.nat(100_000).map((tenths) => tenths / 10));
  const line = fc.string({
    unit: fc.constantFrom('"Date","', ' GMT', '\\', '"', 'é', '\u007f', '\t', 'utf8', ','),
  });
  const head = fc.oneof(line, fc.constant('POST / HTTP/1.1\r\nhost: a\r\nconnection: keep-alive\r\n\r\n'));
  const response = fc.record({
    status: fc.integer({ min: 200, max: 999 }),
    headers: fc.array(fc.tuple(line, line)),
    body: fc.oneof(
      text.map((one) => new TextEncoder().encode(one)),
      fc.uint8Array(),
    ),
    is_complete: fc.boolean(),
  });
  const times = {
    dns_ms: ms,
    connect_ms: ms,
    tls_ms: ms,
    first_byte_ms: ms,
    total_ms: ms.map((one) => one ?? 0),
  };
  const exchange = fc.record({
    request_head: fc.option(head),
    response: fc.option(response),
    timings: fc.record(times),
  });
  fc.assert(
    fc.property(exchange, (given: Exchange) => {
      const settlement = { lease: '', delivery: { id: 'evt_1:a' }, attempt: { number: 3 }, exchange: given };
      const sealed = exchanges.seal(settlement as Parameters<typeof exchanges.seal>[0]) ?? '';
      const opened = exchanges.open(sealed, 'evt_1:a', 3);
      const body = opened?.response && Buffer.from(opened.response.body.text, opened.response.body.encoding);
      const bytes = given.response && Buffer.from(given.response.body);
      expect({ ...opened, response: opened?.response && { ...opened.response, body } }).toEqual({
        ...given,
        response: given.response && { ...given.response, body: bytes },
      });
      expect(exchanges.open(sealed, 'evt_1:a', 4)).toBeNull();
    }),
  );
});
