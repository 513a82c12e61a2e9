/** Samples through channels, from a request to rows, on both databases. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { newId } from '../../src/ids.js';
import type { IngestChannel } from '../../src/sources/index.js';
import { databases } from '../db/databases.js';
import { AT } from '../deciding/seed.js';
import { channel, PROJECT, world } from './world.js';

const source = (name: 'github' | 'stripe'): Partial<IngestChannel> => ({
  source: { name, settings: { secrets: ['s'], header: null } },
});
const PLAIN = channel({
  id: newId(AT),
  address: 'plain',
  topicPath: 'data.body.kind',
  orderingPath: 'data.body.n',
});
const GITHUB = channel({ id: newId(AT), address: 'github', ...source('github'), requiresKey: true });
const STRIPE = channel({ id: newId(AT), address: 'stripe', ...source('stripe') });
const API = channel({ id: newId(AT), type: 'api' });
const FOREIGN = channel({ id: newId(AT), project: newId(AT) });
const ALL = [PLAIN, GITHUB, STRIPE, API, FOREIGN];
const CHANNELS = { plain: PLAIN, ...Object.fromEntries(ALL.map((one) => [one.id, one])) };

const sender = (db: Database, limits = {}) => {
  const { send, ...rest } = world(db, CHANNELS, limits);
  const sample = ({ id }: { readonly id: string }, body: unknown, authorization = 'Bearer manage') =>
    send(
      `/projects/${PROJECT}/channels/${id}/samples`,
      typeof body === 'string' ? body : JSON.stringify(body),
      { authorization },
    );
  return { ...rest, send, sample };
};

const ROWS = `select type, topic, ordering_key, channel_id, data, raw_payload, given_tags
  from events join event_payloads on event_id = id order by id`;
const rowsOf = (db: Database) => db.all<Record<string, string | null>>(ROWS);

describe.each(databases())('$name', ({ open }) => {
  test('a sample is stored as the same request to the address, with a tag', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), { maxKeys: 4 }),
        fc.option(fc.string({ minLength: 1, maxLength: 9 }), { nil: undefined }),
        fc.dictionary(fc.constantFrom('x-shop', 'X-Trace'), fc.stringMatching(/^[!-~]{0,9}$/)),
        async (body, kind, headers) => {
          const db = await open();
          const { send, sample, stop } = sender(db);
          const payload = { ...body, kind, n: 7 };
          expect(await send('/in/plain', JSON.stringify(payload), headers)).toMatchObject({ status: 202 });
          expect(await sample(PLAIN, { headers, payload })).toMatchObject({
            ...{ status: 202, body: { status: 'received', duplicate: false } },
          });
          await stop();
          const [sent, sampled, ...more] = await rowsOf(db);
          const { raw_payload: raw } = sampled!;
          expect(more).toEqual([]);
          expect(sampled).toEqual({ ...sent, given_tags: '["sample"]', raw_payload: raw });
          const envelope = JSON.parse(raw!) as { readonly headers: readonly string[][] };
          for (const [name, value] of Object.entries(headers)) {
            expect(envelope.headers).toContainEqual([name, value]);
          }
          expect(raw).not.toContain('plain');
        },
      ),
      { numRuns: 15 },
    );
  });

  test('neither a signature nor a key is asked for, and equal samples are two events', async () => {
    const db = await open();
    const { sample } = sender(db);
    const push = {
      headers: { 'X-GitHub-Event': 'push', 'x-github-delivery': 'd' },
      payload: { ref: 'main' },
    };
    const charge = { payload: { id: 'evt_1', type: 'charge.succeeded' } };
    for (const [to, body] of [
      ...[[GITHUB, push] as const, [GITHUB, push] as const],
      ...[[STRIPE, charge] as const, [STRIPE, charge] as const],
    ]) {
      expect(await sample(to, body)).toMatchObject({ status: 202, body: { duplicate: false } });
    }
    const topics = (await rowsOf(db)).map(({ topic }) => topic);
    expect(topics).toEqual(['push', 'push', 'charge.succeeded', 'charge.succeeded']);
  });

  test('a channel of type api gets an event of a type, letter by letter', async () => {
    const db = await open();
    const { sample } = sender(db);
    const payload = '{"n": 12345678901234567890, "text":"\\u0061"}';
    expect(await sample(API, `{"payload": ${payload}, "type": "invoice.paid"}`)).toMatchObject({
      status: 202,
    });
    expect(await rowsOf(db)).toEqual([
      {
        ...{ type: 'invoice.paid', topic: null, ordering_key: null, channel_id: API.id },
        ...{ data: payload, raw_payload: null, given_tags: '["sample"]' },
      },
    ]);
  });

  test('what does not fit is refused, and nothing is stored', async () => {
    const db = await open();
    const { sample } = sender(db, { maxBodyBytes: 200 });
    const payload = { a: 1 };
    const at = (pointer: string) => ({
      status: 400,
      body: { code: 'invalid_request', issues: [{ pointer }] },
    });
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, '']));
    for (const [to, body, expected, key] of [
      [API, { payload }, at('/type')],
      [API, { type: 'a', headers: {}, payload }, at('/headers')],
      [API, { type: 'webhook.received', payload }, at('/type')],
      [PLAIN, { type: 'a', payload }, at('/type')],
      [PLAIN, { payload: [] }, at('/payload')],
      [PLAIN, {}, at('/payload')],
      [PLAIN, { payload, headers: many }, at('/headers')],
      [PLAIN, { payload, headers: { 'x-a': 'b\r\nc: d' } }, at('/headers/x-a')],
      [PLAIN, { payload, headers: { 'content-type': 'image/png' } }, { status: 415 }],
      [PLAIN, { payload, more: 1 }, { status: 400 }],
      [PLAIN, '{"payload":', { status: 400, body: { code: 'invalid_json' } }],
      [PLAIN, { payload: { a: 'a'.repeat(200) } }, { status: 413 }],
      [FOREIGN, { payload }, { status: 404 }],
      [{ id: newId(AT) }, { payload }, { status: 404 }],
      [PLAIN, { payload }, { status: 403 }, 'Bearer ingest'],
      [PLAIN, { payload }, { status: 401 }, ''],
    ] as const) {
      expect(await sample(to, body, key)).toMatchObject(expected);
    }
    expect(await rowsOf(db)).toEqual([]);
  });
});
