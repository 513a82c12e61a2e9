/** Fixed headers of endpoints: sent with every delivery, sealed, masked, and never instead of the delivery's own. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { createHeadersVault } from '../../src/endpoints/headers.js';
import { HEADERS_MASK as MASK } from '../../src/endpoints/routes.js';
import { createSealer, type SealingKey } from '../../src/secrets/sealing.js';
import { databases } from '../db/databases.js';
import { SEALING_KEYS } from '../started.js';
import { hostOn, receiver } from '../world.js';

const VALUE = 'Bearer of-the-customer-7f3a';

async function worldOn(db: Database, keys: readonly SealingKey[] = SEALING_KEYS) {
  const world = await hostOn(db, {}, undefined, 0, { sealingKeys: keys });
  const channel = await world.channel();
  const path = `/projects/${world.project}/endpoints`;
  const set = async (id: string, headers: object, key?: string) =>
    world.call('PATCH', `${path}/${id}`, { headers }, key === undefined ? {} : { key });
  return { ...world, db, path, inbox: channel.url, set };
}

describe.each(databases())('on $name', ({ open, create }) => {
  test('they go with deliveries and tests, beside all headers of a delivery', async () => {
    const one = await receiver();
    const world = await worldOn(await open());
    const headers = { Authorization: VALUE, 'X-Team': 'a b\tc', 'X-Latin': 'caf\u00e9' };
    const { id } = await world.endpoint(one, { headers, signature: 'both' });
    expect((await world.call('POST', `${world.path}/${id}/test`, {})).json).toMatchObject({ ok: true });
    await world.send(world.inbox, {});
    await expect.poll(() => one.got).toHaveLength(2);
    const channels = (await world.call('GET', `/projects/${world.project}/channels`)).json.items;
    const secrets = await world.call('GET', `/projects/${world.project}/channels/${channels[0].id}/secrets`);
    for (const { headers: sent, verify } of one.got) {
      expect(sent).toMatchObject({ authorization: VALUE, 'x-team': 'a b\tc', 'x-latin': 'caf\u00e9' });
      expect(sent).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'svc-dispatcher/1' });
      verify(secrets.json.items[0].secret as string);
    }
    await world.set(id, { Authorization: null, 'X-Team': null, 'X-Latin': null });
    await world.send(world.inbox, {});
    await expect.poll(() => one.got).toHaveLength(3);
    expect(one.got[2]!.headers).not.toHaveProperty('authorization');
  });

  test('a value is in no answer, no table and no entry of the audit log', async () => {
    const db = await open();
    const world = await worldOn(db);
    const { id } = await world.endpoint(await receiver(), { headers: { 'X-Key': VALUE } });
    const answers = [
      await world.call('GET', `${world.path}/${id}`),
      await world.call('GET', world.path),
      await world.set(id, { 'X-Other': `${VALUE}2` }),
      await world.set(id, { 'X-Other': `${VALUE}3`, 'X-Key': MASK }),
      await world.set(id, { 'X-Bad': `${VALUE}\r\nX-Evil: 1`, 'X-Other': 'fine' }),
      await world.set(id, { [VALUE]: 'x' }),
      await world.call('GET', `/projects/${world.project}/audit`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 422, 422, 200]);
    for (const { text } of answers.filter((_, i) => i !== 5)) expect(text).not.toContain('of-the-customer');
    expect(answers[3]!.json.headers).toEqual({ 'X-Key': MASK, 'X-Other': MASK });
    const [changed, , made] = answers[6]!.json.items as {
      readonly before: { readonly headers: object } | null;
      readonly after: { readonly headers: object };
    }[];
    expect(made!.after.headers).toEqual({ 'X-Key': MASK });
    expect(changed!.before?.headers).toEqual({ 'X-Key': MASK, 'X-Other': MASK });
    expect(changed!.after.headers).toEqual({ 'X-Key': MASK, 'X-Other': `${MASK} (changed)` });
    for (const table of ['endpoints', 'audit_log', 'event_log', 'received_requests']) {
      expect(JSON.stringify(await db.all(`select * from ${table}`))).not.toContain('of-the-customer');
    }
  });

  test('only callers that may manage change them, and a change that changes nothing is not recorded', async () => {
    const world = await worldOn(await open());
    const { id } = await world.endpoint(await receiver(), { headers: { 'X-Key': VALUE } });
    const reader = await world.call('POST', `/projects/${world.project}/keys`, {
      ...{ name: 'r', scopes: ['read', 'ingest'] },
    });
    expect((await world.set(id, { 'X-Key': 'x' }, reader.json.key as string)).status).toBe(403);
    for (const same of [{}, { 'X-Key': MASK }, { 'X-Key': VALUE }, { 'X-None': null }]) {
      expect((await world.set(id, same)).json).toMatchObject({ version: 1, headers: { 'X-Key': MASK } });
    }
    expect((await world.set(id, { 'x-key': 'other' })).json).toMatchObject({
      version: 2,
      headers: { 'x-key': MASK },
    });
  });

  test('a built-in receiver shows their names to readers, and not their values', async () => {
    const world = await worldOn(await open());
    const made = await world.call('POST', `/projects/${world.project}/receivers`, { name: 'r' });
    const endpoint = { url: made.json.url as string, headers: { 'X-Key': VALUE } };
    const { id } = (await world.call('POST', world.path, endpoint)).json as { readonly id: string };
    await world.call('POST', `${world.path}/${id}/test`, {});
    const requests = `/projects/${world.project}/receivers/${made.json.id as string}/requests`;
    const got = await world.call('GET', requests);
    expect(got.text).not.toContain('of-the-customer');
    const [{ headers, verdict }] = got.json.items as [{ headers: [string, string][]; verdict: object }];
    expect(headers).toContainEqual(['X-Key', '(withheld)']);
    expect(headers).toContainEqual(['Svc-Event-Type', 'endpoint.test']);
    expect(verdict).toMatchObject({ ok: true });
  });

  test('a new key seals them again; without its key nothing is sent until they are set again', async () => {
    const connect = create();
    const db = await connect();
    const one = await receiver();
    const world = await worldOn(db);
    const { id } = await world.endpoint(one, { headers: { 'X-Key': VALUE } });
    await world.stop();
    const young = { id: 'young', key: new Uint8Array(32).fill(9) };
    const sealedBy = async () =>
      (await db.get<{ headers: string }>('select headers from endpoints where id = $1', [id]))?.headers;
    const later = await worldOn(db, [young, ...SEALING_KEYS]);
    await expect.poll(sealedBy).toMatch(/^v1\.young\./);
    await db.run('update endpoints set headers = $2 where id = $1', [
      id,
      createSealer([{ id: 'lost', key: new Uint8Array(32) }]).seal('{}', `endpoints:${id}:headers`),
    ]);
    const path = `/projects/${world.project}/endpoints/${id}`;
    const call = (method: string, to: string, body?: object) =>
      later.call(method, to, body, { key: world.key });
    expect((await call('GET', path)).json.headers).toEqual({});
    const tested = await call('POST', `${path}/test`, {});
    expect([tested.status, tested.json.detail]).toMatchObject([409, /set them again/]);
    expect(one.got).toEqual([]);
    expect((await call('PATCH', path, { headers: { 'X-Key': 'new' } })).status).toBe(200);
    await call('POST', `${path}/test`, {});
    expect(one.got[0]!.headers['x-key']).toBe('new');
  });
});

describe('the changes of headers', () => {
  const vault = createHeadersVault(createSealer(SEALING_KEYS), 'Acme');
  const none = { id: 'e1', headers: null };
  /** The codes of the issues. */
  const refusalOf = (changes: Record<string, string | null>, row: typeof none = none) => {
    try {
      vault.change(row, changes);
      return null;
    } catch (error) {
      return (error as { details: { issues: { code: string; pointer: string }[] } }).details.issues;
    }
  };

  test.for([
    ...['Connection', 'keep-alive', 'Proxy-Authorization', 'proxy-connection', 'TE', 'Trailer'],
    ...['Transfer-Encoding', 'Upgrade', 'HTTP2-Settings', 'Expect', 'Host', 'Content-Length', 'content-type'],
    ...['Content-Encoding', 'content-anything', 'User-Agent', 'traceparent', 'Tracestate'],
    ...['webhook-id', 'Webhook-Timestamp', 'WEBHOOK-SIGNATURE'],
    ...['Acme-Signature', 'acme-timestamp', 'Acme-Event-Id', 'Acme-Event-Type', 'ACME-ORIGIN'],
  ])('%s is reserved', (name) => {
    expect(refusalOf({ [name]: 'x' })).toMatchObject([
      { code: 'reserved_header', pointer: `/headers/${name}` },
    ]);
    expect(refusalOf({ [name]: null })).toMatchObject([{ code: 'reserved_header' }]);
  });

  test.for(['', ' ', 'a b', 'a:b', 'a\r\nb', 'a\n', '\u00e9', ':path', '__proto__', 'x'.repeat(129), 'a\0'])(
    'the name %j is invalid',
    (name) => {
      const changes = JSON.parse(`{${JSON.stringify(name)}:"x"}`) as Record<string, string>;
      expect(refusalOf(changes)).toMatchObject([{ code: 'invalid_name' }]);
    },
  );

  test.for([
    '',
    ' ',
    ' a',
    'a ',
    'a\t',
    'a\r\nX-Evil: 1',
    'a\nb',
    'a\rb',
    'a\0b',
    'a\x7f',
    '\u0100',
    '\u2028',
    'x'.repeat(4_097),
  ])('the value %j is invalid', (value) => {
    expect(refusalOf({ 'X-Key': value })).toMatchObject([{ code: 'invalid_value' }]);
  });

  test('a mask without a value, a name in two spellings, and too many or too large headers are refused', () => {
    expect(refusalOf({ 'X-Key': MASK })).toMatchObject([{ code: 'no_value' }]);
    expect(refusalOf({ 'X-Key': 'a', 'x-key': 'b' })).toMatchObject([{ code: 'repeated_header' }]);
    const many = (count: number, size: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${10 + i}`, 'x'.repeat(size)]));
    expect(refusalOf(many(20, 1))).toBeNull();
    expect(refusalOf(many(21, 1))).toMatchObject([{ code: 'too_many_headers', pointer: '/headers' }]);
    expect(refusalOf(many(12, 508))).toBeNull();
    expect(refusalOf(many(12, 509))).toMatchObject([{ code: 'too_many_headers' }]);
    const full = { id: 'e1', headers: vault.change(none, many(20, 1)) };
    expect(refusalOf({ 'X-New': 'a' }, full as never)).toMatchObject([{ code: 'too_many_headers' }]);
    expect(refusalOf({ 'X-New': 'a', 'X-10': null }, full as never)).toBeNull();
  });

  test('any changes come to what a model says, and a text is sealed again only if they change something', () => {
    const name = fc.constantFrom('X-A', 'x-a', 'X-B', 'X-C');
    const value = fc.constantFrom('1', '2', null, MASK);
    fc.assert(
      fc.property(fc.array(fc.dictionary(name, value), { maxLength: 8 }), (all) => {
        let row: { id: string; headers: string | null } = { id: 'e1', headers: null };
        const model = new Map<string, [string, string]>();
        for (const changes of all) {
          const keys = Object.keys(changes).map((key) => key.toLowerCase());
          const isLegal =
            new Set(keys).size === keys.length &&
            Object.entries(changes).every(([key, to]) => to !== MASK || model.has(key.toLowerCase()));
          const before = JSON.stringify([...model]);
          if (isLegal) {
            for (const [key, to] of Object.entries(changes)) {
              if (to === null) model.delete(key.toLowerCase());
              else if (to !== MASK) model.set(key.toLowerCase(), [key, to]);
            }
          }
          const headers =
            refusalOf(changes, row as never) === null ? vault.change(row, changes) : row.headers;
          expect(headers === row.headers).toBe(JSON.stringify([...model]) === before);
          row = { id: 'e1', headers };
          expect(vault.open(row)).toEqual(Object.fromEntries(model.values()));
          expect(Object.keys(vault.shown(row))).toEqual(Object.keys(vault.open(row)));
          expect(headers === null).toBe(model.size === 0);
        }
      }),
    );
  });
});
