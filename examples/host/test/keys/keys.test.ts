/** Keys: made, listed, revoked, and what they open. */
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { ADMIN_KEY, serve } from '../api/served.js';

describe.each(databases())('keys on $name', ({ open, create }) => {
  test('a key is shown once, and neither stored nor listed', async () => {
    const { db, send, project } = serve(await open());
    const { id, key } = await project();
    const body = { name: 'CI', scopes: ['ingest', 'read'] };
    const made = await send('POST', `/projects/${id}/keys`, { key, body });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'CI', scopes: ['ingest', 'read'], last_used_at: null });
    const secret = made.body.key as string;
    expect(secret).toMatch(/^hg_key_[\dA-Za-z]{49}$/);
    expect(made.body.last_four).toBe(secret.slice(-4));

    const listed = await send('GET', `/projects/${id}/keys`, { key });
    expect((listed.body.items as { name: string }[]).map(({ name }) => name)).toHaveLength(2);
    expect(listed.text).not.toContain(secret);
    for (const table of ['api_keys', 'audit_log']) {
      expect(JSON.stringify(await db.all(`select * from ${table}`))).not.toContain(secret.slice(7));
    }
  });

  test('a key has the name of the key that made it, itself or by a session', async () => {
    const { send, project } = serve(await open());
    const { id, key } = await project();
    const signedIn = await send('POST', '/session', { body: { key } });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const session = { headers: { cookie, 'sec-fetch-site': 'same-origin' } };
    const path = `/projects/${id}/keys`;
    const make = (name: string, by: object) =>
      send('POST', path, { body: { name, scopes: ['read'] }, ...by });
    const made = [
      await make('by a key', { key }),
      await make('by a session', session),
      await make('by the operator', { key: ADMIN_KEY }),
    ];
    expect(made.map(({ body }) => body.created_by_name)).toEqual(['First key', 'First key', null]);
    const { items } = (await send('GET', path, { key })).body as {
      items: readonly { name: string; created_by: string; created_by_name: string | null }[];
    };
    const makers = items.map(({ name, created_by, created_by_name: by }) => [
      name,
      created_by.split(':')[0],
      by,
    ]);
    expect(makers.sort()).toEqual([
      ['First key', 'admin', null],
      ['by a key', 'key', 'First key'],
      ['by a session', 'session', 'First key'],
      ['by the operator', 'admin', null],
    ]);
  });

  test.for([
    [{ name: 'x', scopes: [] }, 'no scope'],
    [{ name: 'x', scopes: ['read', 'read'] }, 'a scope twice'],
    [{ name: 'x', scopes: ['admin'] }, 'an unknown scope'],
    [{ name: '', scopes: ['read'] }, 'an empty name'],
    [{ name: 'a\u0000b', scopes: ['read'] }, 'a control character'],
    [{ name: 'x', scopes: ['read'], id: 'mine' }, 'an id'],
    [{ name: 'x', scopes: ['read'], project_id: 'other' }, 'a project'],
    [{ name: 'x', scopes: ['read'], hash: 'x' }, 'a hash'],
  ] as const)('%j is refused: %s', async ([body]) => {
    const { send, project } = serve(await open());
    const { id, key } = await project();
    const got = await send('POST', `/projects/${id}/keys`, { key, body });
    expect([got.status, got.body.code]).toEqual([400, 'invalid_request']);
  });

  test('a revoked key is refused at once here, and within a second where the notification is lost', async () => {
    const connect = create();
    const [here, there] = [await connect(), await connect()];
    const one = serve(here);
    // The other process shares the clock, and hears nothing.
    const two = serve({ ...there, listen: () => () => undefined }, undefined, one.clock);
    const { id, key } = await one.project();
    const made = await one.key(id, 'read');
    const read = async ({ send }: typeof one): Promise<number> =>
      (await send('GET', `/projects/${id}`, { key: made.key })).status;
    expect([await read(one), await read(two)]).toEqual([200, 200]);

    const revoked = await one.send('DELETE', `/projects/${id}/keys/${made.id}`, { key });
    expect(revoked.status).toBe(204);
    expect(await read(one)).toBe(401);
    one.clock.advance(1_000);
    expect(await read(two)).toBe(401);
  });

  test('a revocation reaches other processes by notification', async () => {
    const connect = create();
    const [here, there] = [await connect(), await connect()];
    const one = serve(here);
    const two = serve(there, undefined, one.clock);
    const { id, key } = await one.project();
    const made = await one.key(id, 'read');
    const read = async (): Promise<number> =>
      (await two.send('GET', `/projects/${id}`, { key: made.key })).status;
    expect(await read()).toBe(200);
    await one.send('DELETE', `/projects/${id}/keys/${made.id}`, { key });
    // Processes on one SQLite file tell each other nothing: the second passes instead.
    if (here.dialect === 'sqlite') one.clock.advance(1_000);
    await expect.poll(read).toBe(401);
  });

  test('revoking twice is one entry of the audit log, and a key stays in the list', async () => {
    const { db, send, project, key: make } = serve(await open());
    const { id, key } = await project();
    const made = await make(id, 'read');
    const path = `/projects/${id}/keys/${made.id}`;
    const both = await Promise.all([send('DELETE', path, { key }), send('DELETE', path, { key })]);
    expect(both.map(({ status }) => status)).toEqual([204, 204]);
    const entries = await db.all("select * from audit_log where action = 'key.revoked'");
    expect(entries).toHaveLength(1);
    const listed = await send('GET', `/projects/${id}/keys`, { key });
    expect(
      (listed.body.items as { id: string; revoked_at: string }[]).find((one) => one.id === made.id),
    ).toMatchObject({ revoked_at: '2026-01-01T00:00:00.000Z' });
  });

  test('a key of another project opens nothing, and cannot be revoked from there', async () => {
    const { send, project } = serve(await open());
    const [mine, other] = [await project(), await project()];
    const theirs = await send('GET', `/projects/${other.id}/keys`, { key: other.key });
    const [{ id }] = theirs.body.items as [{ id: string }];
    const tries = await Promise.all([
      send('GET', `/projects/${other.id}/keys`, { key: mine.key }),
      send('DELETE', `/projects/${other.id}/keys/${id}`, { key: mine.key }),
      send('DELETE', `/projects/${mine.id}/keys/${id}`, { key: mine.key }),
      send('POST', `/projects/${other.id}/keys`, { key: mine.key, body: { name: 'x', scopes: ['read'] } }),
    ]);
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await send('GET', `/projects/${other.id}`, { key: other.key })).status).toBe(200);
  });

  test.for([
    ['ingest', 403],
    ['receive', 403],
    ['read', 403],
    ['manage', 200],
  ] as const)('a key that may %s lists keys with status %i', async ([scope, status]) => {
    const { send, project, key } = serve(await open());
    const { id } = await project();
    const made = await key(id, scope);
    expect((await send('GET', `/projects/${id}/keys`, { key: made.key })).status).toBe(status);
  });

  test('nothing but the exact key is taken', async () => {
    const { send, project } = serve(await open());
    const { id, key } = await project();
    const path = `/projects/${id}`;
    const spellings = [
      ...[`${key} `, `"${key}"`, key.toUpperCase(), key.slice(0, -1), `${key}x`, `${key}, ${key}`],
      ...[
        encodeURIComponent(`${key}%`),
        key.replace('key', 'ses'),
        key.replace('_', '-'),
        `${key}\u00a0`,
        '',
      ],
    ].filter((spelling) => spelling.trim() !== key);
    for (const spelling of spellings) {
      expect.soft((await send('GET', path, { key: spelling })).status, spelling.slice(-6)).toBe(401);
    }
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${key}` };
      expect((await send('GET', path, { headers })).status).toBe(200);
    }
    for (const scheme of ['Basic', 'Token', '']) {
      const headers = { authorization: `${scheme} ${key}` };
      expect((await send('GET', path, { headers })).status).toBe(401);
    }
  });

  test('the operator names projects that exist', async () => {
    const { send, project } = serve(await open());
    const { id } = await project();
    const missing = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const body = { name: 'x', scopes: ['read'] };
    const on = async (path: string): Promise<number> =>
      (await send('POST', `/projects/${path}/keys`, { key: ADMIN_KEY, body })).status;
    expect([await on(id), await on(missing), await on('x')]).toEqual([201, 404, 404]);
  });

  test('the last use is written for many requests at once', async () => {
    const { db, keys, clock, send, project } = serve(await open());
    const { id, key } = await project();
    for (let i = 0; i < 5; i++) {
      clock.advance(10);
      await send('GET', `/projects/${id}`, { key });
    }
    expect(await db.get('select last_used_at from api_keys')).toEqual({ last_used_at: null });
    await keys.stop();
    expect(await db.get('select last_used_at from api_keys')).toEqual({ last_used_at: clock.now() });
  });

  test('of uses in several processes the latest counts, whichever is written last', async () => {
    const connect = create();
    const one = serve(await connect());
    const two = serve(await connect(), undefined, one.clock);
    const { id, key } = await one.project();
    await one.send('GET', `/projects/${id}`, { key });
    one.clock.advance(10);
    await two.send('GET', `/projects/${id}`, { key });
    await two.keys.stop();
    await one.keys.stop();
    expect(await one.db.get('select last_used_at from api_keys')).toEqual({ last_used_at: one.clock.now() });
  });

  test('a use that could not be written is written the next time', async () => {
    const db = await open();
    let isAway = false;
    const away = (): Promise<never> => Promise.reject(new Error('away'));
    const served = serve({ ...db, run: (...asked) => (isAway ? away() : db.run(...asked)) });
    const { id, key } = await served.project();
    await served.send('GET', `/projects/${id}`, { key });
    isAway = true;
    await served.keys.stop();
    isAway = false;
    await served.keys.stop();
    expect(await db.get('select last_used_at from api_keys')).toEqual({ last_used_at: served.clock.now() });
  });

  test('a process that hears no notification holds its own revocation at once', async () => {
    const served = serve({ ...(await open()), listen: () => () => undefined });
    const { id, key } = await served.project();
    const made = await served.key(id, 'read');
    const read = async (): Promise<number> =>
      (await served.send('GET', `/projects/${id}`, { key: made.key })).status;
    expect(await read()).toBe(200);
    await served.send('DELETE', `/projects/${id}/keys/${made.id}`, { key });
    expect(await read()).toBe(401);
  });

  test('a page of keys goes on where the last one ended', async () => {
    const { send, project, key: make } = serve(await open());
    const { id, key } = await project();
    for (let i = 0; i < 6; i++) await make(id, 'read');
    const seen: string[] = [];
    let cursor: string | null = '';
    for (; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await send('GET', `/projects/${id}/keys?limit=3${query}`, { key });
      seen.push(...(body.items as { id: string }[]).map((one) => one.id));
      cursor = body.next as string | null;
    }
    expect(seen).toHaveLength(7);
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
  });
});
