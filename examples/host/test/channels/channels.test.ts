/** Channels: their addresses, their sources, their signing secrets. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Channels, createChannels } from '../../src/channels/channels.js';
import { SOURCE_NAMES } from '../../src/channels/routes.js';
import type { Database } from '../../src/db/index.js';
import { createSealer, type SealingKey } from '../../src/secrets/sealing.js';
import { sources } from '../../src/sources/index.js';
import { ADMIN_KEY, type Got, serve, type TestClock } from '../api/served.js';
import { databases } from '../db/databases.js';

const sealingKey = (id: string): SealingKey => ({ id, key: randomBytes(32) });
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Channels over fetch, with a project. */
async function world(db: Database, keys: readonly SealingKey[] = [sealingKey('k1')], clock?: TestClock) {
  let channels: Channels | undefined;
  const served = serve(
    db,
    (parts) => {
      channels = createChannels({
        ...parts,
        sealer: createSealer(keys),
        publicUrl: 'https://hooks.example.com',
      });
      return channels.routes;
    },
    clock,
  );
  const { id: project, key } = await served.project();
  const on = (method: string, path: string, body?: unknown, headers = {}): Promise<Got> =>
    served.send(method, `/projects/${project}/channels${path}`, { key, body, headers });
  const create = async (body: object = { name: 'Shop' }): Promise<Shown> => {
    const got = await on('POST', '', body);
    expect(got.status, got.text).toBe(201);
    return got.body as unknown as Shown;
  };
  return { ...served, channels: channels as Channels, projectId: project, projectKey: key, on, create };
}
interface Shown {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly version: number;
}
interface Secret {
  readonly id: string;
  readonly secret: string;
  readonly expires_at: string | null;
}

const tablesOf = async (db: Database): Promise<string> => {
  const tables = ['channels', 'signing_secrets', 'audit_log'];
  return JSON.stringify(await Promise.all(tables.map((table) => db.all(`select * from ${table}`))));
};

test('the names of sources are those of the table of sources', () => {
  expect([...SOURCE_NAMES]).toEqual(Object.keys(sources));
});

describe.each(databases())('channels on $name', ({ open, create }) => {
  test('a channel has an address that opens it, and an id that names it', async () => {
    const { create, channels, projectId } = await world(await open());
    const shown = await create({ name: 'Shop', source: { name: 'github', secrets: ['s3cret'] } });
    expect(shown).toMatchObject({
      url: `https://hooks.example.com/in/${shown.address}`,
      source: { name: 'github', secrets: 1, header: null },
      requires_key: false,
      rejected: 0,
    });
    expect(shown.address).toMatch(/^[\da-f]{32}$/);
    const found = {
      id: shown.id,
      project: projectId,
      name: 'Shop',
      address: shown.address,
      type: 'webhook',
      topicPath: null,
      orderingPath: null,
      source: { name: 'github', settings: { secrets: ['s3cret'], header: null } },
      requiresKey: false,
    };
    expect(await channels.find(shown.address)).toEqual({ ...found, byAddress: true });
    expect(await channels.find(shown.id)).toEqual({ ...found, byAddress: false });
    for (const other of ['', 'x', shown.address.toUpperCase(), `${shown.address} `, shown.address.slice(1)]) {
      if (other !== shown.address) expect(await channels.find(other)).toBeNull();
    }
  });

  test.for([
    [{ name: 'x', source: { name: 'unknown' } }, 400, 'invalid_request'],
    [{ name: 'x', source: { name: 'toString' } }, 400, 'invalid_request'],
    [{ name: 'x', source: { name: '__proto__' } }, 400, 'invalid_request'],
    [{ name: 'x', source: 'none' }, 400, 'invalid_request'],
    [{ name: 'x', source: { name: 'github' } }, 422, 'invalid_document'],
    [{ name: 'x', source: { name: 'github', secrets: [''] } }, 422, 'invalid_document'],
    [{ name: 'x', source: { name: 'none', secrets: ['s3cret'] } }, 422, 'invalid_document'],
    [{ name: 'x', source: { name: 'token', secrets: ['s3cret'] } }, 422, 'invalid_document'],
    [{ name: 'x', source: { name: 'token', secrets: ['s3cret'], header: 'Host' } }, 422, 'invalid_document'],
    [{ name: 'x', source: { name: 'github', secrets: ['\ud800'] } }, 422, 'invalid_document'],
    [{ name: 'x', source: { name: 'github', secrets: Array(17).fill('s3cret') } }, 400, 'invalid_request'],
    [
      { name: 'x', source: { name: 'github', secrets: ['s3cret'], url: 'https://x' } },
      400,
      'invalid_request',
    ],
    [{ name: 'x', address: 'mine' }, 400, 'invalid_request'],
    [{ name: 'x', id: 'mine' }, 400, 'invalid_request'],
    [{ name: 'x', project_id: 'other' }, 400, 'invalid_request'],
    [{ name: 'x', rejected: -1 }, 400, 'invalid_request'],
    [{ name: 'x', signing_secret: 'whsec_mine' }, 400, 'invalid_request'],
    [{ name: 'a\u0000' }, 400, 'invalid_request'],
    [{}, 400, 'invalid_request'],
  ] as const)('%j is refused with %i', async ([body, status, code]) => {
    const { on, db } = await world(await open());
    const got = await on('POST', '', body);
    expect([got.status, got.body.code]).toEqual([status, code]);
    expect(got.text).not.toContain('s3cret');
    expect(await db.all('select * from channels')).toEqual([]);
  });

  test('neither the secrets of a source nor those that sign are in rows, lists or the audit log', async () => {
    const { on, create, db, channels } = await world(await open());
    const given = `given ${randomBytes(8).toString('hex')}`;
    const { id, address } = await create({ name: 'Shop', source: { name: 'github', secrets: [given] } });
    await on('PATCH', `/${id}`, { source: { name: 'stripe', secrets: [given, `${given}2`] } });
    await on('POST', `/${id}/secrets`);
    const secrets = await channels.secretsOf(id);
    expect(secrets).toHaveLength(2);
    const shown = [await on('GET', ''), await on('GET', `/${id}`)].map(({ text }) => text).join('');
    for (const secret of [given, ...secrets]) {
      expect(await tablesOf(db)).not.toContain(secret);
      expect(shown).not.toContain(secret);
    }
    expect(JSON.stringify(await db.all('select * from audit_log'))).not.toContain(address);
  });

  test('a caller that may only read does not learn the address', async () => {
    const { send, create, projectId, key } = await world(await open());
    const { id, address } = await create();
    const reader = await key(projectId, 'read');
    for (const path of ['', `/${id}`]) {
      const got = await send('GET', `/projects/${projectId}/channels${path}`, { key: reader.key });
      expect(got.status).toBe(200);
      expect(got.text).not.toContain(address);
    }
    for (const path of [`/${id}/secrets`]) {
      const got = await send('GET', `/projects/${projectId}/channels${path}`, { key: reader.key });
      expect(got.status).toBe(403);
    }
  });

  test('rotating keeps the old secret for a day, oldest first, and each showing is in the audit log', async () => {
    const { on, create, channels, clock, db } = await world(await open());
    const { id } = await create();
    const [first] = await channels.secretsOf(id);
    clock.advance(1);
    const added = (await on('POST', `/${id}/secrets`)).body as unknown as Secret;
    expect(added.secret).toMatch(/^whsec_[\dA-Za-z]{43}=$/);
    expect(await channels.secretsOf(id)).toEqual([first, added.secret]);
    const { items } = (await on('GET', `/${id}/secrets`)).body as unknown as { items: Secret[] };
    expect(items.map(({ secret }) => secret)).toEqual([first, added.secret]);
    expect(items.map(({ expires_at }) => expires_at)).toEqual([
      new Date(clock.now() + DAY_MS).toISOString(),
      null,
    ]);
    clock.advance(DAY_MS - 1);
    expect(await channels.secretsOf(id)).toEqual([first, added.secret]);
    clock.advance(1);
    expect(await channels.secretsOf(id)).toEqual([added.secret]);
    const shown = await db.all<{ action: string }>(
      "select action from audit_log where action like 'secret%'",
    );
    expect(shown.map(({ action }) => action).sort()).toEqual(['secret.rotated', 'secrets.revealed']);
  });

  test('a leaked secret goes at once, the one that signs cannot, and there are never more than 16', async () => {
    const { on, create, channels } = await world(await open());
    const { id } = await create();
    const { items } = (await on('GET', `/${id}/secrets`)).body as unknown as { items: Secret[] };
    const first = items[0]?.id ?? '';
    expect((await on('DELETE', `/${id}/secrets/${first}`)).status).toBe(409);
    await on('POST', `/${id}/secrets`, { keep_hours: 720 });
    expect((await on('DELETE', `/${id}/secrets/${first}`)).status).toBe(204);
    expect((await on('DELETE', `/${id}/secrets/${first}`)).status).toBe(404);
    const now = (await on('POST', `/${id}/secrets`, { keep_hours: 0 })).body as unknown as Secret;
    expect(await channels.secretsOf(id)).toEqual([now.secret]);
    const rotated = await Promise.all(Array.from({ length: 20 }, () => on('POST', `/${id}/secrets`)));
    expect(rotated.filter(({ status }) => status === 201)).toHaveLength(15);
    expect(await channels.secretsOf(id)).toHaveLength(16);
    expect((await on('POST', `/${id}/secrets`, { keep_hours: 721 })).status).toBe(400);
  });

  test('exactly one secret does not expire, and all others were replaced, whatever is done', async () => {
    const { on, create, channels, clock, db } = await world(await open());
    const { id } = await create();
    const live: { secret: string; endsAt: number }[] = [];
    live.push({ secret: (await channels.secretsOf(id))[0] ?? '', endsAt: Infinity });
    const steps = fc.oneof(
      fc.record({ do: fc.constant('rotate' as const), hours: fc.nat(3) }),
      fc.record({ do: fc.constant('wait' as const), hours: fc.nat(2) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 6 }), async (taken) => {
        for (const step of taken) {
          clock.advance(1);
          if (step.do === 'wait') clock.advance(step.hours * HOUR_MS);
          else {
            const until = clock.now() + step.hours * HOUR_MS;
            for (const one of live) one.endsAt = Math.min(one.endsAt, until);
            const got = await on('POST', `/${id}/secrets`, { keep_hours: step.hours });
            live.push({ secret: (got.body as unknown as Secret).secret, endsAt: Infinity });
          }
          const expected = live.filter(({ endsAt }) => endsAt > clock.now()).map(({ secret }) => secret);
          expect(await channels.secretsOf(id)).toEqual(expected);
          const lasting = await db.all('select id from signing_secrets where expires_at is null');
          expect(lasting).toHaveLength(1);
        }
        clock.advance(4 * HOUR_MS);
      }),
      { numRuns: 15 },
    );
  });

  test('a change that read an older version is refused, and an edit holds here at once', async () => {
    const { on, create, channels } = await world(await open());
    const { id, address } = await create();
    await channels.find(address);
    const first = await on('PATCH', `/${id}`, { name: 'One' }, { 'if-match': '"1"' });
    expect([first.status, first.headers.get('etag')]).toEqual([200, '"2"']);
    expect(await channels.find(address)).toMatchObject({ name: 'One' });
    const second = await on('PATCH', `/${id}`, { name: 'Two' }, { 'if-match': '"1"' });
    expect([second.status, second.body.code]).toEqual([412, 'version_conflict']);
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/address'],
    ] as const) {
      expect((await on(method, `/${id}${path}`, undefined, { 'if-match': '"1"' })).status).toBe(412);
    }
    expect((await on('GET', `/${id}`)).body).toMatchObject({ name: 'One', version: 2 });
  });

  test('a new address closes the old one, and a deleted channel is closed while its secrets still sign', async () => {
    const { on, create, channels } = await world(await open());
    const { id, address } = await create({ name: 'Shop', source: { name: 'github', secrets: ['s3cret'] } });
    const renewed = (await on('POST', `/${id}/address`)).body as unknown as Shown;
    expect(await channels.find(address)).toBeNull();
    expect(await channels.find(renewed.address)).toMatchObject({ id });
    expect((await on('DELETE', `/${id}`)).status).toBe(204);
    for (const key of [id, address, renewed.address]) expect(await channels.find(key)).toBeNull();
    expect(await channels.secretsOf(id)).toHaveLength(1);
    expect((await on('GET', `/${id}`)).status).toBe(404);
    expect((await on('GET', '')).body.items).toEqual([]);
    for (const path of ['', '/address', '/secrets']) {
      const method = path === '' ? 'DELETE' : 'POST';
      expect((await on(method, `/${id}${path}`)).status).toBe(404);
    }
  });

  test('another process hears of an edit, or sees it within a second', async () => {
    const connect = create();
    const keys = [sealingKey('k1')];
    const one = await world(await connect(), keys);
    const deaf = { ...(await connect()), listen: () => () => undefined };
    const two = await world(deaf, keys, one.clock);
    const { id, address } = await one.create();
    expect(await two.channels.find(address)).toMatchObject({ requiresKey: false });
    const [before] = await two.channels.secretsOf(id);
    await one.on('PATCH', `/${id}`, { requires_key: true });
    await one.on('POST', `/${id}/secrets`, { keep_hours: 0 });
    one.clock.advance(1_000);
    expect(await two.channels.find(address)).toMatchObject({ requiresKey: true });
    expect(await two.channels.secretsOf(id)).not.toContain(before);
  });

  test('nothing of another project is read or changed by its id', async () => {
    const mine = await world(await open());
    const other = await mine.project();
    const made = await mine.send('POST', `/projects/${other.id}/channels`, {
      key: other.key,
      body: { name: 'x' },
    });
    const theirs = made.body as unknown as Shown;
    const { items } = (
      await mine.send('GET', `/projects/${other.id}/channels/${theirs.id}/secrets`, { key: other.key })
    ).body as unknown as { items: Secret[] };
    const { id } = await mine.create();
    const secret = items[0]?.id ?? '';
    const tries = [
      ['GET', `/${theirs.id}`],
      ['PATCH', `/${theirs.id}`, { name: 'mine' }],
      ['DELETE', `/${theirs.id}`],
      ['POST', `/${theirs.id}/address`],
      ['GET', `/${theirs.id}/secrets`],
      ['POST', `/${theirs.id}/secrets`],
      ['DELETE', `/${theirs.id}/secrets/${secret}`],
      ['DELETE', `/${id}/secrets/${secret}`],
    ] as const;
    for (const [method, path, body] of tries) {
      expect.soft((await mine.on(method, path, body)).status, `${method} ${path}`).toBe(404);
    }
    expect((await mine.on('GET', '')).text).not.toContain(theirs.id);
    expect(await mine.channels.channelOf(mine.projectId, theirs.id)).toBeNull();
    expect(await mine.channels.secretsOf(theirs.id)).toHaveLength(1);
  });

  test('a sealed secret that is moved to another row does not open', async () => {
    const { create, channels, db } = await world(await open());
    const [a, b] = [await create(), await create()];
    const rows = await db.all<{ owner_id: string; sealed: string }>('select * from signing_secrets');
    const stolen = rows.find(({ owner_id }) => owner_id === a.id)?.sealed ?? '';
    await db.run('update signing_secrets set sealed = $1 where owner_id = $2', [stolen, b.id]);
    await expect(channels.secretsOf(b.id)).rejects.toMatchObject({ code: 'not_genuine' });
    expect(await channels.secretsOf(a.id)).toHaveLength(1);
  });

  test('resealing takes an old key out of use, and loses nothing', async () => {
    const db = await open();
    const [older, newer] = [sealingKey('k1'), sealingKey('k2')];
    const before = await world(db, [older]);
    const made = [];
    for (let i = 0; i < 3; i++) {
      made.push(await before.create({ name: `c${i}`, source: { name: 'github', secrets: [`s${i}`] } }));
    }
    const secrets = await Promise.all(made.map(({ id }) => before.channels.secretsOf(id)));
    const both = await world(db, [newer, older]);
    expect(await both.channels.reseal()).toEqual({ resealed: 6, unreadable: 0 });
    expect(await both.channels.reseal()).toEqual({ resealed: 0, unreadable: 0 });
    const after = await world(db, [newer]);
    expect(await Promise.all(made.map(({ id }) => after.channels.secretsOf(id)))).toEqual(secrets);
    expect(await after.channels.find(made[1]?.address ?? '')).toMatchObject({
      source: { settings: { secrets: ['s1'] } },
    });
  });

  test('a channel whose sealing key is lost is refused at ingest, but can be seen and repaired', async () => {
    const db = await open();
    const before = await world(db, [sealingKey('lost')]);
    const { id, address } = await before.create({
      name: 'x',
      source: { name: 'github', secrets: ['s3cret'] },
    });
    const after = await world(db, [sealingKey('k2')]);
    expect(await after.channels.reseal()).toEqual({ resealed: 0, unreadable: 2 });
    await expect(after.channels.find(address)).rejects.toMatchObject({ code: 'unknown_key' });
    const path = `/projects/${before.projectId}/channels/${id}`;
    const sent = { key: before.projectKey };
    expect((await after.send('GET', path, sent)).body.source).toMatchObject({ name: 'github', secrets: 0 });
    const source = { name: 'github', secrets: ['another'] };
    expect((await after.send('PATCH', path, { ...sent, body: { source } })).status).toBe(200);
    expect(await after.channels.find(address)).toMatchObject({
      source: { settings: { secrets: ['another'] } },
    });
    expect((await after.send('GET', `${path}/secrets`, sent)).status).toBe(500);
    expect((await after.send('POST', `${path}/secrets`, { ...sent, body: { keep_hours: 0 } })).status).toBe(
      201,
    );
    expect(await after.channels.secretsOf(id)).toHaveLength(1);
  });

  test('the operator reads the channels of any project', async () => {
    const { create, send, projectId } = await world(await open());
    const { id } = await create();
    const got = await send('GET', `/projects/${projectId}/channels/${id}`, { key: ADMIN_KEY });
    expect([got.status, got.body.id]).toEqual([200, id]);
  });
});
