/** Publishing, from a request to rows, on both databases. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { newId } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { AT } from '../deciding/seed.js';
import { channel, PROJECT, world } from './world.js';

const API = { ...channel({ id: newId(AT), name: 'API' }), type: 'api' } as const;
const SIBLING = { ...channel({ id: newId(AT), name: 'shop' }), type: 'api' } as const;
const WEBHOOK = channel({ id: newId(AT) });
const CHANNELS = { address: WEBHOOK, [API.id]: API, [SIBLING.id]: SIBLING, [WEBHOOK.id]: WEBHOOK };
const ONE = `/projects/${PROJECT}/events`;
const MANY = `${ONE}/batch`;

const publisher = (db: Database, limits = {}) => {
  const { send, ...rest } = world(db, CHANNELS, limits);
  return {
    ...rest,
    send,
    publish: (body: unknown, headers: Record<string, string> = {}, path = ONE) =>
      send(path, typeof body === 'string' ? body : JSON.stringify(body), {
        authorization: 'Bearer ingest',
        ...headers,
      }),
  };
};

interface Row {
  readonly id: string;
  readonly type: string;
  readonly topic: string | null;
  readonly channel_id: string;
  readonly channel_name: string;
  readonly data: string;
  readonly raw_payload: string | null;
  readonly given_tags: string | null;
}
const rowsOf = (db: Database): Promise<readonly Row[]> =>
  db.all<Row>(
    `select id, type, topic, channel_id, channel_name, data, raw_payload, given_tags
    from events join event_payloads on event_id = id order by id`,
  );

describe.each(databases())('$name', ({ open }) => {
  test('an event is on the disk before it is answered, with its data letter by letter', async () => {
    const db = await open();
    const { publish } = publisher(db);
    const data = '{"n": 12345678901234567890, "text":"\\u0061"}';
    const answer = await publish(`{"type":"invoice.paid","tags":["eu"],"data": ${data} }`);
    expect(answer).toMatchObject({ status: 202, body: { status: 'received', duplicate: false } });
    expect(await rowsOf(db)).toEqual([
      {
        ...{ id: answer.body.id, type: 'invoice.paid', topic: null, given_tags: '["eu"]' },
        ...{ channel_id: API.id, channel_name: 'API', data, raw_payload: null },
      },
    ]);
  });

  test('a key makes one event within a channel, however its members are ordered', async () => {
    const db = await open();
    const { publish } = publisher(db);
    const key = { 'idempotency-key': 'k' };
    const first = await publish('{"type":"a","data":{"n":1}}', key);
    expect(await publish('{"data":{"n":1}, "type":"a"}', key)).toMatchObject({
      ...{ status: 202, body: { id: first.body.id, duplicate: true } },
    });
    for (const other of ['{"type":"b","data":{"n":1}}', '{"type":"a","data":{"n":2}}']) {
      expect(await publish(other, key)).toMatchObject({
        status: 409,
        body: { code: 'idempotency_conflict' },
      });
    }
    const elsewhere = await publish({ type: 'a', data: { n: 1 }, channel_id: SIBLING.id }, key);
    expect(elsewhere.body).toMatchObject({ duplicate: false });
    expect((await rowsOf(db)).map(({ channel_name }) => channel_name)).toEqual(['API', 'shop']);
  });

  test('each event of a batch is answered on its own, in order', async () => {
    const db = await open();
    const { publish } = publisher(db);
    const before = await publish({ type: 'a', data: {} }, { 'idempotency-key': 'before' });
    const events = [
      { type: 'a', data: { n: 0 } },
      { type: 'webhook.received', data: {} },
      { type: 'a', data: {}, idempotency_key: 'before' },
      { type: 'b', data: {}, idempotency_key: 'before' },
      { type: 'a', data: [] },
      { type: 'c', data: {}, channel_id: WEBHOOK.id },
      { type: 'd', data: {}, idempotency_key: 'new' },
      { type: 'd', data: {}, idempotency_key: 'new' },
    ];
    const { status, body } = await publish({ events }, {}, MANY);
    expect(status).toBe(202);
    const rows = await rowsOf(db);
    const [zero, , repeat, , , , made, again] = body.results as { readonly id: string }[];
    expect(body.results).toEqual([
      { id: zero!.id, status: 'received', duplicate: false },
      { problem: expect.objectContaining({ code: 'invalid_request', status: 400 }) as unknown },
      { id: before.body.id, status: 'received', duplicate: true },
      { problem: expect.objectContaining({ code: 'idempotency_conflict', status: 409 }) as unknown },
      { problem: expect.objectContaining({ detail: expect.stringContaining('/data') as string }) as unknown },
      {
        problem: expect.objectContaining({
          detail: expect.stringContaining('channel_id') as string,
        }) as unknown,
      },
      { id: made!.id, status: 'received', duplicate: false },
      { id: made!.id, status: 'received', duplicate: true },
    ]);
    expect(again!.id).toBe(made!.id);
    expect(repeat!.id).toBe(before.body.id);
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([before.body.id, zero!.id, made!.id]));
  });

  test('no text in an event, however odd, keeps the others of its transaction from being stored', async () => {
    const db = await open();
    const { publish, send } = publisher(db);
    const odd = ['a\0b', '\ud800', '\udc00a'];
    const webhooks = odd.map((type) => send('/in/address', JSON.stringify({ type, kind: 'odd' })));
    const events = odd.flatMap((text) => [
      { type: 'a', data: { [text]: text } },
      { type: 'a', data: {}, tags: [text] },
      { type: 'a', data: {}, ordering_key: text },
      { type: 'a', data: {}, idempotency_key: text },
    ]);
    const { body } = await publish({ events }, {}, MANY);
    const results = body.results as { readonly id?: string }[];
    expect(results.filter(({ id }) => id !== undefined)).toHaveLength(6);
    for (const { status } of await Promise.all(webhooks)) expect(status).toBe(202);
    expect(await rowsOf(db)).toHaveLength(9);
  });

  test('what a batch takes is what single requests take', async () => {
    const db = await open();
    const { publish } = publisher(db);
    const events = fc.record({
      type: fc.constantFrom('a', 'a.b', 'a..b', 'endpoint.test', 'x'.repeat(129)),
      data: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(null, 'text', 7)),
      tags: fc.oneof(fc.constantFrom([], ['t'], [''], 'tag'), fc.array(fc.string())),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(events, { minLength: 1, maxLength: 5 }), async (all) => {
        const { body } = await publish({ events: all }, {}, MANY);
        const alone = await Promise.all(all.map((event) => publish(event)));
        const codes = (body.results as { problem?: { code: string; detail: string } }[]).map(
          ({ problem }) => [...[problem?.code, problem?.detail]],
        );
        expect(codes).toEqual(alone.map((one) => [one.body.code, one.body.detail]));
      }),
      { numRuns: 25 },
    );
  });
});

const [sqlite] = databases();

describe('what is refused', () => {
  test.each([
    ['no type', { data: {} }, '/type'],
    ['an empty part of a type', { type: 'a..b', data: {} }, '/type'],
    ['a type of another alphabet', { type: 'a b', data: {} }, '/type'],
    ['a type of 129 characters', { type: 'a'.repeat(129), data: {} }, '/type'],
    ['a type that is reserved', { type: 'headgate.x', data: {} }, '/type'],
    ['no data', { type: 'a' }, '/data'],
    ['data that is a list', { type: 'a', data: [] }, '/data'],
    ['51 tags', { type: 'a', data: {}, tags: Array.from({ length: 51 }, (_, i) => `${i}`) }, '/tags'],
    ['a channel of webhooks', { type: 'a', data: {}, channel_id: WEBHOOK.id }, '/channel_id'],
    ['a channel that does not exist', { type: 'a', data: {}, channel_id: newId(AT) }, '/channel_id'],
    ['an ordering key with a NUL', { type: 'a', data: {}, ordering_key: 'a\0' }, '/ordering_key'],
    [
      'half of a character in an ordering key',
      { type: 'a', data: {}, ordering_key: '\ud800' },
      '/ordering_key',
    ],
    ['a body that is a list', [], ''],
  ])('%s', async (_, body, pointer) => {
    const db = await sqlite!.open();
    const answer = await publisher(db).publish(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', issues: [{ pointer }] } });
    expect(await rowsOf(db)).toEqual([]);
  });

  test('an unknown member', async () => {
    const answer = await publisher(await sqlite!.open()).publish({ type: 'a', data: {}, tag: 'x' });
    expect(answer.body).toMatchObject({ issues: [{ code: 'unknown_member' }] });
  });

  test.each([
    ['{"type":"a","data":{}', 'invalid_json', 400],
    ['{"type":"a","data":{"n":1e999}}', 'invalid_json', 400],
    [`{"type":"a","data":{"text":"${'x'.repeat(1_048_576)}"}}`, 'body_too_large', 413],
    [`{"type":"a","data":{},"tags":${'['.repeat(70_000)}${']'.repeat(70_000)}}`, 'body_too_large', 413],
  ])('%.40j…', async (body, code, status) => {
    expect(await publisher(await sqlite!.open()).publish(body)).toMatchObject({ status, body: { code } });
  });

  test.each([
    [{}],
    [{ events: [] }],
    [{ events: {} }],
    [{ events: Array.from({ length: 101 }, () => ({})) }],
    [[]],
  ])('the batch %.40j', async (body) => {
    const answer = await publisher(await sqlite!.open()).publish(body, {}, MANY);
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ pointer: '/events' }] } });
  });

  test('another content type, other keys, and no key', async () => {
    const { publish } = publisher(await sqlite!.open());
    const event = { type: 'a', data: {} };
    expect((await publish(event, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await publish(event, { authorization: 'Bearer read' })).status).toBe(403);
    expect((await publish(event, { authorization: '' })).status).toBe(401);
    expect((await publish(event, { authorization: `Bearer ingest ${newId(AT)}` })).status).toBe(404);
  });
});

test('the address and the id of a channel for publishing take no webhooks', async () => {
  const { send } = world(await sqlite!.open(), { address: API, [API.id]: { ...API, byAddress: false } });
  expect((await send('/in/address', '1')).status).toBe(401);
  expect((await send('/in/address', '1', { authorization: 'Bearer ingest' })).status).toBe(404);
  expect((await send(`/in/${API.id}`, '1', { authorization: 'Bearer ingest' })).status).toBe(404);
});

test('data of any depth is stored', async () => {
  const db = await sqlite!.open();
  const data = `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect((await publisher(db).publish(`{"type":"a","data":${data}}`)).status).toBe(202);
  expect((await rowsOf(db))[0]?.data === data).toBe(true);
});

test('the bytes of events and batches count for their project, before they are read', async () => {
  const { publish } = publisher(await sqlite!.open(), { bytesPerSecond: 1_000 });
  const large = { type: 'a', data: { text: 'x'.repeat(1_500) } };
  expect((await publish(large)).status).toBe(202);
  expect(await publish({ events: [large] }, {}, MANY)).toMatchObject({ status: 429 });
  expect(await publish(large)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
});

test('a batch takes the room of all of its events', async () => {
  const db = await sqlite!.open();
  const { publish } = publisher(db, { requests: 10 });
  const events = Array.from({ length: 6 }, (_, n) => ({ type: 'a', data: { n } }));
  expect(await publish({ events }, {}, MANY)).toMatchObject({ status: 503, body: { code: 'overloaded' } });
  expect((await publish({ events: events.slice(1) }, {}, MANY)).status).toBe(202);
});
