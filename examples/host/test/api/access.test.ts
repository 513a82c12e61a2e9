/** Nobody gets in: every route of the table, walked with every wrong credential. It grows with the table. */
import { describe, expect, test } from 'vitest';
import { assertMayEnter } from '../../src/api/guard.js';
import { bind, type RouteDefinition, SCOPES } from '../../src/api/route.js';
import { definitions } from '../../src/api-table.js';
import { databases } from '../db/databases.js';
import { ADMIN_KEY, HOST, serve, type Served } from '../api/served.js';

/** The status of a handler that was reached. */
const REACHED = 299;
const UUID = '01900000-0000-7000-8000-000000000000';

/** Serves every definition, bound to a handler that only reports that it was reached. */
function walk(db: Parameters<typeof serve>[0]): Served {
  const own = new Set(['listProjects', 'createProject', 'getProject', 'updateProject', 'updatePlan']);
  for (const name of [
    'listKeys',
    'createKey',
    'revokeKey',
    'signIn',
    'getSession',
    'signOut',
    'endSessions',
  ]) {
    own.add(name);
  }
  return serve(db, () =>
    definitions
      .filter(({ name }) => !own.has(name))
      .map((definition) => ({
        ...bind({ ...definition, body: 'raw' }, () =>
          Promise.resolve(new Response(null, { status: REACHED })),
        ),
      })),
  );
}

const pathOf = ({ path }: RouteDefinition, project: string): string =>
  path.replace('{project}', project).replaceAll(/\{\w+\}/g, UUID);
const needsKey = definitions.filter(({ access }) => access !== 'anybody');
const ofProjects = needsKey.filter(({ path }) => path.includes('{project}'));

describe.each(databases().slice(0, 1))('every route of the table', ({ open }) => {
  test('without a key, with a wrong one, with a revoked one: 401, whether or not the project exists', async () => {
    const served = walk(await open());
    const { id, key } = await served.project();
    const revoked = await served.key(id, ...SCOPES);
    await served.send('DELETE', `/projects/${id}/keys/${revoked.id}`, { key });
    for (const definition of needsKey) {
      for (const project of [id, UUID, 'x']) {
        for (const wrong of [undefined, 'wrong', revoked.key, '']) {
          const sent = wrong === undefined ? {} : { key: wrong };
          const got = await served.send(definition.method, pathOf(definition, project), sent);
          expect.soft([got.status, got.body.code], definition.name).toEqual([401, 'unauthorized']);
        }
      }
    }
  });

  test('with a key of another project: 404, as if there were no such project', async () => {
    const served = walk(await open());
    const [mine, other] = [await served.project(), await served.project()];
    for (const definition of ofProjects) {
      const texts = [];
      for (const project of [other.id, UUID]) {
        const got = await served.send(definition.method, pathOf(definition, project), { key: mine.key });
        expect.soft(got.status, definition.name).toBe(404);
        texts.push(got.body.detail);
      }
      expect(new Set(texts).size).toBe(1);
    }
  });

  test('with a key of each wrong scope: 403, and with the right one the handler is reached', async () => {
    const served = walk(await open());
    const { id } = await served.project();
    const keys = await Promise.all(
      SCOPES.map(async (scope) => [scope, await served.key(id, scope)] as const),
    );
    for (const definition of ofProjects.filter(({ access }) => access !== 'admin')) {
      for (const [scope, { key }] of keys) {
        const isRight = scope === definition.access || (scope === 'manage' && definition.access === 'read');
        const got = await served.send(definition.method, pathOf(definition, id), { key });
        if (isRight) expect.soft([401, 403], definition.name).not.toContain(got.status);
        else {
          expect.soft([got.status, got.body.code], `${definition.name} ${scope}`).toEqual([403, 'forbidden']);
        }
      }
    }
  });

  test('the operator alone does what is for the operator', async () => {
    const served = walk(await open());
    const { id, key } = await served.project();
    for (const definition of needsKey.filter(({ access }) => access === 'admin')) {
      const path = pathOf(definition, id);
      expect.soft((await served.send(definition.method, path, { key })).status, definition.name).toBe(404);
      const operator = await served.send(definition.method, path, { key: ADMIN_KEY });
      expect.soft([401, 403, 404], definition.name).not.toContain(operator.status);
    }
  });

  test('a change by a cookie from another origin: 403, on every route that changes', async () => {
    const served = walk(await open());
    const { id, key } = await served.project();
    const begun = await served.send('POST', '/session', { body: { key } });
    const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
    for (const definition of definitions.filter(({ method }) => method !== 'GET')) {
      for (const origin of [{}, { origin: 'https://elsewhere.example' }, { 'sec-fetch-site': 'same-site' }]) {
        const headers = { cookie, ...origin };
        const got = await served.send(definition.method, pathOf(definition, id), { headers });
        expect.soft([got.status, got.body.code], definition.name).toEqual([403, 'cross_origin']);
      }
    }
    expect((await served.send('GET', '/session', { headers: { cookie } })).status).toBe(200);
  });
});

test('the guard lets nobody change anything with a session but from the origin of the service', () => {
  const principal = { project: UUID, scopes: new Set(SCOPES), actor: 'session:link', isSession: true };
  for (const { access, method } of definitions.filter((definition) => definition.method !== 'GET')) {
    const headers = new Headers({ origin: `http://${HOST}` });
    const entry = { access, method, project: UUID, headers };
    const origin = (): string => 'http://elsewhere.example';
    expect(() => assertMayEnter(principal, { ...entry, origin })).toThrow();
  }
});
