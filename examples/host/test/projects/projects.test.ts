/** Projects: made by the operator, changed by callers that may manage. */
import { describe, expect, test } from 'vitest';
import { createKeys } from '../../src/keys/keys.js';
import { ADMIN_KEY, serve } from '../api/served.js';
import { databases } from '../db/databases.js';

describe.each(databases())('projects on $name', ({ open }) => {
  test('the operator makes a project, whose first key may do everything in it', async () => {
    const { send } = serve(await open());
    const made = await send('POST', '/projects', { key: ADMIN_KEY, body: { name: 'Orders', plan: 'scale' } });
    expect(made.status).toBe(201);
    const { project, key } = made.body as { project: { id: string }; key: string };
    expect(project).toMatchObject({ plan: 'scale', retention_days: 30, auto_pause_days: null, version: 1 });
    const who = await send('GET', '/session', { key });
    expect(who.body).toMatchObject({ project: project.id, scopes: ['ingest', 'receive', 'read', 'manage'] });
  });

  test('only the very key of the operator is the operator, and none is where none is set', async () => {
    const db = await open();
    const { send } = serve(db);
    const status = async (key: string): Promise<number> => (await send('GET', '/projects', { key })).status;
    expect(await status(ADMIN_KEY)).toBe(200);
    const spellings = [
      ADMIN_KEY.slice(0, -1),
      `${ADMIN_KEY}x`,
      ADMIN_KEY.toUpperCase(),
      '0',
      'null',
      'undefined',
    ];
    for (const key of spellings) expect.soft(await status(key), key).toBe(401);
    for (const adminKey of [null, '']) {
      const { authenticate } = createKeys({ db, now: () => 0, adminKey, publicUrl: '' });
      for (const key of ['', 'null', ' ']) {
        expect(await authenticate(new Headers({ authorization: `Bearer ${key}` }))).toBeNull();
      }
    }
  });

  test('a key of a project is not an operator', async () => {
    const { send, project } = serve(await open());
    const { id, key } = await project();
    const tries = [
      await send('GET', '/projects', { key }),
      await send('POST', '/projects', { key, body: { name: 'x' } }),
      await send('PUT', `/projects/${id}/plan`, { key, body: { plan: 'scale' } }),
    ];
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await send('GET', `/projects/${id}`, { key })).body.plan).toBe('pro');
  });

  test.for(['id', 'plan', 'rules_version', 'log_position', 'version', 'created_at'])(
    'the member %s is refused in a change',
    async (member) => {
      const { send, project } = serve(await open());
      const { id, key } = await project();
      const got = await send('PATCH', `/projects/${id}`, { key, body: { name: 'x', [member]: 7 } });
      expect([got.status, got.body.code]).toEqual([400, 'invalid_request']);
      expect((await send('GET', `/projects/${id}`, { key })).body).toMatchObject({
        name: 'Orders',
        version: 1,
      });
    },
  );

  test('changes of other members at one time are both kept', async () => {
    const { send, project } = serve(await open());
    const { id, key } = await project();
    const bodies = [{ name: 'Both' }, { retention_days: 9 }, { auto_pause_days: 5 }];
    await Promise.all(bodies.map((body) => send('PATCH', `/projects/${id}`, { key, body })));
    const got = await send('GET', `/projects/${id}`, { key });
    expect(got.body).toMatchObject({ name: 'Both', retention_days: 9, auto_pause_days: 5, version: 4 });
    expect(got.headers.get('etag')).toBe('"4"');
  });

  test('a change that read an older version is refused', async () => {
    const { send, project } = serve(await open());
    const { id, key } = await project();
    const change = (name: string, etag: string) =>
      send('PATCH', `/projects/${id}`, { key, body: { name }, headers: { 'if-match': etag } });
    expect((await change('One', '"1"')).status).toBe(200);
    const refused = await change('Two', '"1"');
    expect([refused.status, refused.body.code, refused.body.version]).toEqual([412, 'version_conflict', 2]);
  });
});
