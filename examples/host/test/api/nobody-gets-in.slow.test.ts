/** Every route of the table, walked by all who may not call it. A new route needs no change here. */
import { describe, expect, test } from 'vitest';
import { definitions } from '../../src/api-table.js';
import { type RouteDefinition, type Scope, SCOPES } from '../../src/api/route.js';
import { newKey } from '../../src/secrets/key-format.js';
import { databases } from '../db/databases.js';
import {
  type Answer,
  allRows,
  type Estate,
  estateOn,
  filled,
  OPERATOR_KEY,
  ORDINALS,
  ORIGIN,
} from './estate.js';
import { validBody } from './requests.js';

const guarded = definitions.filter(({ access }) => access !== 'anybody');
const inProject = guarded.filter(({ path }) => path.startsWith('/projects/{project}'));
const isChange = ({ method }: RouteDefinition): boolean => method !== 'GET';

/** A caller, and the refusal that each route must answer with. */
interface Caller {
  readonly name: string;
  readonly init: (estate: Estate, route: RouteDefinition) => RequestInit & { key?: string };
  /** Status and code that the route refuses this caller with; null if it may pass. */
  readonly refused: (route: RouteDefinition) => readonly [status: number, code: string] | null;
}

const UNAUTHORIZED = [401, 'unauthorized'] as const;
const FORBIDDEN = [403, 'forbidden'] as const;
const NOT_FOUND = [404, 'not_found'] as const;

const withKey = (key: string) => ({ key });
const withoutKey: readonly Caller[] = [
  { name: 'nobody', init: () => ({}), refused: () => UNAUTHORIZED },
  ...[
    '',
    ' ',
    'null',
    'hg_key_',
    `hg_key_${'A'.repeat(49)}`,
    'x'.repeat(5_000),
    `${OPERATOR_KEY}x`,
    OPERATOR_KEY.slice(1),
  ].map((key): Caller => ({
    name: `the malformed key ${JSON.stringify(key.slice(0, 20))}`,
    init: () => withKey(key),
    refused: () => UNAUTHORIZED,
  })),
  { name: 'a key that was never made', init: () => withKey(newKey('key')), refused: () => UNAUTHORIZED },
  { name: 'a revoked key', init: ({ ours }) => withKey(ours.keys.revoked), refused: () => UNAUTHORIZED },
  {
    name: 'the token of a session as a key',
    init: ({ ours }) => withKey(ours.cookie.split('=')[1] ?? ''),
    refused: () => UNAUTHORIZED,
  },
  {
    name: 'a key as the token of a session',
    init: ({ ours }) => ({ headers: { cookie: `__Host-headgate=${ours.keys.all}`, origin: ORIGIN } }),
    refused: () => UNAUTHORIZED,
  },
  {
    name: 'a session under the name of plain HTTP',
    init: ({ ours }) => ({
      headers: { cookie: ours.cookie.replace('__Host-', ''), 'sec-fetch-site': 'same-origin' },
    }),
    refused: () => UNAUTHORIZED,
  },
  {
    name: 'a key with another scheme',
    init: ({ ours }) => ({ headers: { authorization: `Basic ${btoa(`:${ours.keys.all}`)}` } }),
    refused: () => UNAUTHORIZED,
  },
  {
    name: 'a key in the query',
    init: () => ({}),
    refused: () => UNAUTHORIZED,
  },
];

const ofOthers = ({ access, path }: RouteDefinition) =>
  access === 'admin' || path.startsWith('/projects/{project}') ? NOT_FOUND : null;
const sameOrigin = { 'sec-fetch-site': 'same-origin' };
const others: readonly Caller[] = [
  { name: 'a key of another project', init: ({ theirs }) => withKey(theirs.keys.all), refused: ofOthers },
  {
    name: 'a session of another project',
    init: ({ theirs }) => ({ headers: { cookie: theirs.cookie, ...sameOrigin } }),
    refused: ofOthers,
  },
  ...[
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a sub-domain', { 'sec-fetch-site': 'same-site', origin: 'https://a.hooks.example.com' }],
    ['another site in an old browser', { origin: 'https://evil.example' }],
    ['the null origin', { origin: 'null' }],
    ['plain HTTP', { origin: 'http://hooks.example.com' }],
    ['nowhere', {}],
  ].map(([name, headers]): Caller => ({
    name: `a session from ${name as string}`,
    init: ({ ours }) => ({ headers: { cookie: ours.cookie, ...(headers as object) } }),
    refused: (route) =>
      isChange(route) ? [403, 'cross_origin'] : route.access === 'admin' ? NOT_FOUND : null,
  })),
];

const allows = (has: Scope, needs: Scope): boolean => has === needs || (has === 'manage' && needs === 'read');
const scoped: readonly Caller[] = SCOPES.map((scope) => ({
  name: `a key with the scope ${scope} alone`,
  init: ({ ours }) => withKey(ours.keys[scope]),
  refused: ({ access }) =>
    access === 'admin' ? NOT_FOUND : allows(scope, access as Scope) ? null : FORBIDDEN,
}));

const callers = [...withoutKey, ...others, ...scoped];

/** A request that would do what the route does. */
const tries = async (estate: Estate, route: RouteDefinition, { name, init }: Caller): Promise<Answer> => {
  const path = filled(route, estate.ours.ids);
  const body = validBody(route, estate.ours.ids);
  const query =
    name === 'a key in the query' ? `?key=${estate.ours.keys.all}&access_token=${estate.ours.keys.all}` : '';
  return estate.send(route.method, path + query, {
    ...init(estate, route),
    ...(body !== undefined && { body }),
  });
};

describe.each(databases())('$name', ({ open }) => {
  test('nobody gets in: no route answers, changes or tells anything to who may not call it', async () => {
    const estate = await estateOn(await open());
    const { ours, db } = estate;
    const before = await allRows(db);
    expect(before.length).toBeGreaterThan(50);
    let refusals = 0;
    for (const route of guarded) {
      for (const caller of callers) {
        const expected = caller.refused(route);
        if (expected === null) continue;
        const { status, text, headers } = await tries(estate, route, caller);
        const what = `${route.name} by ${caller.name}`;
        expect([what, status, (JSON.parse(text) as { code: string }).code]).toEqual([what, ...expected]);
        const told = text + JSON.stringify([...headers]);
        const leaked = [...ours.own, ...ours.secrets].filter((secret) => told.includes(secret));
        expect([what, leaked]).toEqual([what, []]);
        refusals++;
      }
    }
    expect(refusals).toBeGreaterThan(guarded.length * 15);
    expect(await allRows(db)).toEqual(before);
  });

  test('the same answer comes whether a resource exists or not', async () => {
    const estate = await estateOn(await open());
    const { theirs } = estate;
    const without = (text: string) => text.replace(/"request_id":"[^"]*"/, '');
    for (const route of inProject) {
      const unknown = { ...estate.ours.ids, project: '01920000-0000-7000-8000-000000000000' };
      const body = validBody(route, estate.ours.ids);
      const init = { key: theirs.keys.all, ...(body !== undefined && { body }) };
      const [real, none] = [
        await estate.send(route.method, filled(route, estate.ours.ids), init),
        await estate.send(route.method, filled(route, unknown), init),
      ];
      expect([route.name, real.status, without(real.text)]).toEqual([
        route.name,
        none.status,
        without(none.text),
      ]);
    }
  });

  test('under its own project, nobody reaches what belongs to another by its id', async () => {
    const estate = await estateOn(await open());
    const { ours, theirs, db } = estate;
    const before = (await allRows(db)).filter((row) => row.includes(ours.ids.project ?? ''));
    const deep = inProject.filter(({ params }) => Object.keys(params.shape).length > 1);
    expect(deep.length).toBeGreaterThan(20);
    for (const route of deep) {
      // Each id of theirs is replaced by one of ours in turn, and then all of them.
      const names = Object.keys(route.params.shape).filter(
        (name) => name !== 'project' && !Object.hasOwn(ORDINALS, name),
      );
      for (const swapped of [...names.map((name) => [name]), names]) {
        const ids = {
          ...theirs.ids,
          ...Object.fromEntries(swapped.map((name) => [name, ours.ids[name] ?? ''])),
        };
        const body = validBody(route, ours.ids);
        const init = { key: theirs.keys.all, ...(body !== undefined && { body }) };
        const { status, text } = await estate.send(route.method, filled(route, ids), init);
        expect([route.name, swapped, status]).toEqual([route.name, swapped, 404]);
        const leaked = [...ours.own, ...ours.secrets].filter((secret) => text.includes(secret));
        expect([route.name, leaked]).toEqual([route.name, []]);
      }
    }
    expect((await allRows(db)).filter((row) => row.includes(ours.ids.project ?? ''))).toEqual(before);
  });

  test('no filter of a list, and no id in a body, reaches into another project', async () => {
    const estate = await estateOn(await open());
    const { ours, theirs, db } = estate;
    const before = (await allRows(db)).filter((row) => row.includes(ours.ids.project ?? ''));
    for (const route of inProject.filter(({ query, method }) => query !== undefined && method === 'GET')) {
      if (route.produces !== undefined) continue;
      for (const name of Object.keys(route.query?.shape ?? {})) {
        for (const value of Object.values(ours.ids)) {
          const path = `${filled(route, theirs.ids)}?${name}=${encodeURIComponent(value)}`;
          const { status, text } = await estate.send('GET', path, { key: theirs.keys.all });
          expect([path, status < 500]).toEqual([path, true]);
          const leaked = ours.own.filter((secret) => secret !== value && text.includes(secret));
          expect([path, leaked]).toEqual([path, []]);
        }
      }
    }
    for (const route of inProject.filter(({ body }) => body !== undefined)) {
      const body = validBody(route, ours.ids);
      if (body === undefined) continue;
      const { status, text } = await estate.send(route.method, filled(route, theirs.ids), {
        key: theirs.keys.all,
        body,
      });
      expect([route.name, status < 500]).toEqual([route.name, true]);
      const leaked = ours.own.filter((secret) => !body.includes(secret) && text.includes(secret));
      expect([route.name, leaked]).toEqual([route.name, []]);
    }
    expect((await allRows(db)).filter((row) => row.includes(ours.ids.project ?? ''))).toEqual(before);
  });

  test('a caller that may use a route gets in', async () => {
    const estate = await estateOn(await open());
    const { ours } = estate;
    // Reads first, so that nothing is deleted before it is read.
    for (const route of guarded.filter(({ method }) => method === 'GET')) {
      if (route.produces === 'text/event-stream') continue;
      const key = route.access === 'admin' ? OPERATOR_KEY : ours.keys[route.access as Scope];
      const { status } = await estate.send(route.method, filled(route, ours.ids), { key });
      expect([route.name, status]).toEqual([route.name, 200]);
    }
  });

  test('the door of a channel that asks for a key, and the id of any channel, open to keys of scope ingest alone', async () => {
    const estate = await estateOn(await open());
    const { ours, theirs } = estate;
    const path = `/in/${ours.ids.channel}`;
    const cases = [
      [undefined, 401],
      [newKey('key'), 401],
      [ours.keys.revoked, 401],
      [theirs.keys.all, 404],
      [ours.keys.read, 403],
      [ours.keys.manage, 403],
      [ours.keys.receive, 403],
    ] as const;
    const before = await allRows(estate.db);
    for (const [key, expected] of cases) {
      const { status, text } = await estate.send('POST', path, {
        body: '{}',
        headers: { 'x-token': 'canary-ours-source-token' },
        ...(key !== undefined && { key }),
      });
      expect([key, status]).toEqual([key, expected]);
      expect(ours.own.filter((secret) => text.includes(secret))).toEqual([]);
    }
    expect(await allRows(estate.db)).toEqual(before);
  });
});
