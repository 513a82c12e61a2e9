/** Ingest, from a request to rows, on both databases. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wholeRequest } from '../../src/stored/request.js';
import { DatabaseUnavailable } from '../../src/db/index.js';
import { newId, timeOfEventId } from '../../src/ids.js';
import { createMemory } from '../../src/limits/memory.js';
import { databases } from '../db/databases.js';
import { senders } from '../sources/senders.js';
import { AT } from '../deciding/seed.js';
import { type Answer, channel, LEASE_MS, PROJECT, storedEvents, world } from './world.js';

const DAY_MS = 86_400_000;

describe.each(databases())('$name', ({ open }) => {
  test('an event is on the disk before it is answered, and is given to be decided', async () => {
    const db = await open();
    const known = channel();
    const { send, taken } = world(db, { address: known });
    const body = '{"n": 12345678901234567890, "a":[]}';
    const answer = await send('/in/address?x=1&x=2', body, { 'x-mine': 'yes' });
    expect(answer).toMatchObject({ status: 202, body: { status: 'received', duplicate: false } });
    const [row] = await storedEvents(db);
    expect(row).toMatchObject({ id: answer.body.id, status: 'received', decide_at: AT + LEASE_MS });
    expect(row!.received_at).toBe(timeOfEventId(row!.id));
    expect(row!.data).toBe(`{"body":${body}}`);
    expect(row!.raw_payload).not.toContain('1234567890');
    expect(JSON.parse(wholeRequest(row!.raw_payload, row!.data))).toMatchObject({
      method: 'POST',
      path: `/in/${known.id}`,
      query: 'x=1&x=2',
      body,
    });
    expect(taken).toEqual([
      expect.objectContaining({ id: answer.body.id, project: PROJECT, data: row!.data }),
    ]);
  });

  test('an event that deciding has no room for may be decided by anybody at once', async () => {
    const db = await open();
    const made = world(db, { address: channel() });
    made.hasRoom = false;
    await made.send('/in/address', '1');
    expect(made.taken).toEqual([]);
    expect(await storedEvents(db)).toMatchObject([{ decide_at: AT }]);
  });

  test('whatever is sent at once is stored once for each key, and answered alike', async () => {
    const db = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ key: fc.option(fc.constantFrom('a', 'b', 'ü')), body: fc.constantFrom('1', '2') }),
          { minLength: 1, maxLength: 30 },
        ),
        async (requests) => {
          const own = channel();
          const { send, taken } = world(db, { address: own });
          const answers = await Promise.all(
            requests.map(({ key, body }) =>
              send('/in/address', body, key === null ? {} : { 'idempotency-key': encodeURIComponent(key) }),
            ),
          );
          const rows = await db.all<{ id: string; data: string }>(
            'select id, data from events join event_payloads on event_id = id where channel_id = $1',
            [own.id],
          );
          const data = new Map(rows.map((row) => [row.id, row.data]));
          const ids = new Map<string, unknown>();
          for (const [i, { key, body }] of requests.entries()) {
            const { status, body: answer } = answers[i]!;
            if (status === 409) {
              expect(answer.code).toBe('idempotency_conflict');
              expect(requests.some((other) => other.key === key && other.body !== body)).toBe(true);
              continue;
            }
            expect(status).toBe(202);
            expect(data.get(answer.id as string)).toBe(`{"body":${body}}`);
            if (key === null) expect(answer.duplicate).toBe(false);
            else expect(ids.get(key) ?? answer.id).toBe(answer.id);
            if (key !== null) ids.set(key, answer.id);
          }
          const made = answers.filter(({ status, body }) => status === 202 && body.duplicate === false);
          expect(rows.map(({ id }) => id).sort()).toEqual(made.map(({ body }) => body.id).sort());
          expect(taken.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort());
          const keys = new Set(requests.flatMap(({ key }) => key ?? []));
          expect(made).toHaveLength(requests.filter(({ key }) => key === null).length + keys.size);
        },
      ),
      { numRuns: 15 },
    );
  });

  test('a key is good for 24 hours in its channel, and shows what happened to the first event', async () => {
    const db = await open();
    const made = world(db, { one: channel(), two: channel() });
    const key = { 'idempotency-key': 'k' };
    const first = await made.send('/in/one', '1', key);
    expect((await made.send('/in/two', '2', key)).body).toMatchObject({ duplicate: false });
    await db.run("update events set status = 'dropped' where id = $1", [first.body.id as string]);
    made.now += DAY_MS - 1;
    expect((await made.send('/in/one', '1', key)).body).toEqual({
      id: first.body.id,
      status: 'dropped',
      duplicate: true,
    });
    expect(await made.send('/in/one', '2', key)).toMatchObject({ status: 409 });
    made.now += 1;
    expect((await made.send('/in/one', '2', key)).body).toMatchObject({ duplicate: false });
    expect((await made.send('/in/one', '2', key)).body).toMatchObject({ duplicate: true });
    for (const bad of ['', 'k'.repeat(256)]) {
      expect(await made.send('/in/one', '1', { 'idempotency-key': bad })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    }
  });

  test('a source is verified, and what it refuses is counted for the operator and not stored', async () => {
    const db = await open();
    const own = channel({ source: { name: 'github', settings: { secrets: ['s3cret'], header: null } } });
    await db.insert('channels', [
      {
        ...{
          id: own.id,
          project_id: PROJECT,
          name: 'n',
          address: newId(AT),
          source: 'github',
          source_settings: null,
        },
        ...{ requires_key: 0, rejected: 5, rejected_at: null, version: 1, created_at: AT, updated_at: AT },
      },
    ]);
    const { send, stop, counted } = world(db, { address: own });
    const signed = (body: string, delivery: string) => ({
      'x-hub-signature-256': `sha256=${createHmac('sha256', 's3cret').update(body).digest('hex')}`,
      'x-github-delivery': delivery,
    });
    const first = await send('/in/address', '{}', signed('{}', 'd1'));
    expect(first.status).toBe(202);
    expect((await send('/in/address', '{}', signed('{}', 'd1'))).body).toMatchObject({
      id: first.body.id,
      duplicate: true,
    });
    for (const headers of [{}, signed('{"a":1}', 'd2')]) {
      const { status, body } = await send('/in/address', '{}', headers);
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'signature_invalid' });
      expect(JSON.stringify(body)).not.toContain('s3cret');
    }
    await stop();
    expect(await storedEvents(db)).toHaveLength(1);
    expect({ ...(await db.get('select rejected, rejected_at from channels')) }).toEqual({
      rejected: 7,
      rejected_at: AT,
    });
    expect(counted).toEqual(['accepted', 'duplicate', 'signature_invalid', 'signature_invalid']);
  });

  test.for(senders.filter(({ signsId }) => signsId))(
    'a captured request of $source makes no second event, whatever Idempotency-Key it is sent with',
    async ({ source, secretOf, sign, idIn }) => {
      const db = await open();
      const settings = { secrets: [secretOf('a')], header: null };
      const { send } = world(db, { address: channel({ source: { name: source, settings } }) });
      const bodyOf = (id: string) => JSON.stringify({ id, event_id: id });
      const headersOf = async (body: string, id: string) => {
        const signed = await sign(secretOf('a'), body, AT / 1_000, id);
        return Object.fromEntries(signed.map(([name, value]) => [name.toLowerCase(), value]));
      };
      const signed = async (id: string) => ({
        body: bodyOf(id),
        headers: await headersOf(bodyOf(id), id),
      });
      const first = await signed('one');
      const { body: accepted } = await send('/in/address', first.body, first.headers);
      for (const key of ['', 'k', 'x'.repeat(300), 'one']) {
        const again = await send('/in/address', first.body, { ...first.headers, 'idempotency-key': key });
        expect(again).toMatchObject({ status: 202, body: { id: accepted.id, duplicate: true } });
      }
      const other = await signed('two');
      const { body } = await send('/in/address', other.body, { ...other.headers, 'idempotency-key': 'k' });
      expect(body).toMatchObject({ duplicate: false });
      // A provider that names the event in its body may print the event again for each attempt.
      const printedAnew = `${first.body} `;
      const headers = await headersOf(printedAnew, 'one');
      expect(await send('/in/address', printedAnew, headers)).toMatchObject(
        idIn === 'header' ? { status: 409 } : { status: 202, body: { id: accepted.id, duplicate: true } },
      );
      expect(await storedEvents(db)).toHaveLength(2);
    },
  );

  test('of several requests with one key in a batch, the first is stored', async () => {
    const db = await open();
    const { send } = world(db, { address: channel() });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send('/in/address', '1', { 'idempotency-key': 'k' })),
    );
    expect(answers.map(({ body }) => body.duplicate)).toEqual([false, true, true, true, true]);
    expect(await storedEvents(db)).toMatchObject([{ id: answers[0]?.body.id }]);
  });

  test('while the database is away requests are refused at once, and are taken again when it is back', async () => {
    const db = await open();
    let isAway = false;
    let asked = 0;
    const away = (): Promise<never> => Promise.reject(new DatabaseUnavailable(new Error('gone')));
    const made = world(
      {
        ...db,
        transaction: (work) => (isAway ? (asked++, away()) : db.transaction(work)),
        ping: () => (isAway ? away() : db.ping()),
      },
      { address: channel() },
    );
    expect((await made.send('/in/address', '1')).status).toBe(202);
    isAway = true;
    for (let i = 0; i < 20; i++) {
      const { status, body, headers } = await made.send('/in/address', '1');
      expect({ status, code: body.code, retry: headers.get('retry-after') }).toEqual({
        status: 503,
        code: 'store_unavailable',
        retry: '1',
      });
    }
    expect(asked).toBe(1);
    isAway = false;
    while ((await made.send('/in/address', '1')).status !== 202) await sleep(10);
    expect(await storedEvents(db)).toHaveLength(2);
  });
});

const [sqlite] = databases();

test.for([
  { who: 'nobody, by address', path: 'address', key: null, status: 202 },
  { who: 'nobody, by id', path: 'id', key: null, status: 401 },
  { who: 'nobody, by an id that nothing has', path: newId(AT), key: null, status: 401 },
  { who: 'nobody, by an address that nothing has', path: 'nothing', key: null, status: 404 },
  { who: 'nobody, by an address that asks for a key', path: 'locked', key: null, status: 401 },
  { who: 'a key, by id', path: 'id', key: 'ingest', status: 202 },
  { who: 'a key, by an address that asks for one', path: 'locked', key: 'ingest', status: 202 },
  { who: 'a key that may only manage', path: 'id', key: 'manage', status: 403 },
  { who: 'a key of another project', path: 'id', key: `ingest ${newId(AT)}`, status: 404 },
  { who: 'a key of another project, by address', path: 'address', key: `ingest ${newId(AT)}`, status: 202 },
  { who: 'the operator', path: 'id', key: 'operator', status: 202 },
  { who: 'a path that is not a name', path: 'a%00b', key: null, status: 404 },
])('$who gets $status', async ({ path, key, status }) => {
  const { send } = world(await sqlite!.open(), {
    address: channel(),
    id: channel({ byAddress: false }),
    locked: channel({ requiresKey: true }),
  });
  expect(
    (await send(`/in/${path}`, '1', key === null ? {} : { authorization: `Bearer ${key}` })).status,
  ).toBe(status);
});

test.for([
  { about: 'text that is not JSON', type: 'application/json', body: '{', status: 400, code: 'invalid_json' },
  { about: 'another type', type: 'image/png', body: '1', status: 415, code: 'unsupported_media_type' },
  {
    about: 'a body that is too large',
    type: 'text/plain',
    body: 'x'.repeat(101),
    status: 413,
    code: 'body_too_large',
  },
])('$about is $code, and nothing is stored', async ({ type, body, status, code }) => {
  const db = await sqlite!.open();
  const { send } = world(db, { address: channel() }, { maxBodyBytes: 100 });
  expect(await send('/in/address', body, { 'content-type': type })).toMatchObject({ status, body: { code } });
  expect(await storedEvents(db)).toEqual([]);
});

test('requests beyond the limits are refused before their bodies are read, and one project leaves half to the others', async () => {
  const db = await sqlite!.open();
  const { send, counted } = world(
    db,
    { mine: channel(), other: channel({ project: newId(AT) }) },
    { requests: 8 },
    createMemory(1_000_000),
  );
  const bodies: ReadableStreamDefaultController<Uint8Array>[] = [];
  const slow = (path: string): Promise<Answer> =>
    send(path, new ReadableStream<Uint8Array>({ start: (controller) => void bodies.push(controller) }), {
      'content-length': '10',
    });
  const mine = Array.from({ length: 4 }, () => slow('/in/mine'));
  await sleep(1);
  const { status, body, headers } = await send('/in/mine', '1');
  expect({ status, code: body.code, retry: headers.get('retry-after') }).toEqual({
    status: 503,
    code: 'overloaded',
    retry: '1',
  });
  expect((await send('/in/other', '1')).status).toBe(202);
  expect(await send('/in/other', '1', { 'content-length': '600000' })).toMatchObject({ status: 503 });
  for (const one of bodies) {
    one.enqueue(Buffer.from('"12345678"'));
    one.close();
  }
  expect((await Promise.all(mine)).map((answer) => answer.status)).toEqual([202, 202, 202, 202]);
  expect((await send('/in/mine', '1')).status).toBe(202);
  expect(counted.filter((result) => result === 'overloaded')).toHaveLength(2);
});
