/** Every route of the table, walked by a viewer and by an owner of the portal. A new route needs no change here. */
import { describe, expect, test } from 'vitest';
import { definitions } from '../../src/api-table.js';
import { PORTAL_ROLES, type PortalRole, type RouteDefinition } from '../../src/api/route.js';
import { allRows, type Estate, estateOn, filled, ORDINALS } from '../api/estate.js';
import { validBody } from '../api/requests.js';
import { databases } from '../db/databases.js';
import { portalHeaders } from './sessions.js';

const guarded = definitions.filter(({ access }) => access !== 'anybody');
const open = guarded.filter(({ portal }) => portal !== undefined);

const may = (role: PortalRole, { portal }: RouteDefinition): boolean =>
  portal === 'viewer' || portal === role;

/** The refusal that a route must answer with; null if the session may pass. */
const refusal = (role: PortalRole, route: RouteDefinition) => {
  if (route.access === 'admin') return [404, 'not_found'];
  return may(role, route) ? null : [403, 'forbidden'];
};

const headersOf = ({ send, ours }: Estate, role: PortalRole) =>
  portalHeaders(send, ours.ids.project ?? '', ours.keys.all, role);

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly ids?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

const sendTo = (
  estate: Estate,
  route: RouteDefinition,
  { headers, ids = estate.ours.ids, ...sent }: Sent,
) => {
  const { body = validBody(route, estate.ours.ids) } = sent;
  return estate.send(route.method, filled(route, ids), { headers, ...(body !== undefined && { body }) });
};

/** Texts of a project that no session of the portal may see. */
const hiddenIn = ({ ids, keys, cookie, secrets }: Estate['ours'], who: string): readonly string[] => [
  ...['project', 'key', 'receiver', 'received', 'type', 'description', 'schema', 'example', 'rule'].map(
    (what) => `canary-${who}-${what}`,
  ),
  ...['client', 'reply', 'payload', 'source-token'].map((what) => `canary-${who}-${what}`),
  ...['key', 'receiver', 'rule', 'comparison', 'secret'].map((name) => ids[name] ?? name),
  ...Object.values(keys),
  ...[cookie.split('=')[1] ?? cookie, ...secrets],
];

/** Bodies of the portal for routes that take more from others. */
const PORTAL_BODIES: Readonly<Record<string, string>> = {
  replayEvent: '{"rules":"recorded"}',
};

describe.each(databases())('$name', ({ open: openDatabase }) => {
  test('a session of the portal enters the routes of its role alone, and changes nothing elsewhere', async () => {
    const estate = await estateOn(await openDatabase());
    for (const role of PORTAL_ROLES) {
      const headers = await headersOf(estate, role);
      const before = await allRows(estate.db);
      let refusals = 0;
      for (const route of guarded) {
        const expected = refusal(role, route);
        if (expected === null) continue;
        const { status, text } = await sendTo(estate, route, { headers });
        const { code } = JSON.parse(text) as { code: string };
        expect([route.name, role, status, code]).toEqual([route.name, role, ...expected]);
        refusals++;
      }
      expect(refusals).toBeGreaterThan(40);
      expect(await allRows(estate.db)).toEqual(before);
    }
  });

  test('its routes answer it, and tell nothing of rules, keys, secrets and people', async () => {
    const estate = await estateOn(await openDatabase());
    const hidden = hiddenIn(estate.ours, 'ours').filter((text) => text !== 'canary-ours-project');
    const isStream = ({ produces }: RouteDefinition) => produces === 'text/event-stream';
    for (const role of PORTAL_ROLES) {
      const headers = await headersOf(estate, role);
      // Reads first, so that nothing is deleted before it is read; then changes, the deletions last.
      const order = ['GET', 'PATCH', 'POST', 'DELETE'];
      const routes = open
        .filter((route) => may(role, route) && !isStream(route))
        .sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method));
      for (const route of routes) {
        const { status, text } = await sendTo(estate, route, { headers, body: PORTAL_BODIES[route.name] });
        expect([route.name, role, status, text]).toEqual([
          route.name,
          role,
          expect.any(Number),
          expect.any(String),
        ]);
        if (route.method === 'GET') expect([route.name, status]).toEqual([route.name, 200]);
        expect([route.name, status === 403 || status === 401 || status >= 500]).toEqual([route.name, false]);
        // The own secrets of an endpoint are shown to an owner; those of the channel are not among them.
        const leaked = hidden.filter((secret) => text.includes(secret));
        expect([route.name, role, leaked]).toEqual([route.name, role, []]);
        expect([route.name, /"(?:created_by|actor)":"(?!operator"|portal")/.test(text)]).toEqual([
          route.name,
          false,
        ]);
      }
      expect(routes.length).toBeGreaterThan(role === 'owner' ? 25 : 12);
    }
  });

  test('nothing of another project is reached by its id, in paths or under the own project', async () => {
    const estate = await estateOn(await openDatabase());
    const { ours, theirs, db } = estate;
    const headers = await headersOf(estate, 'owner');
    const ofTheirs = async () => (await allRows(db)).filter((row) => row.includes(theirs.ids.project ?? ''));
    const before = await ofTheirs();
    for (const route of open) {
      const names = Object.keys(route.params.shape).filter(
        (name) => name !== 'project' && !Object.hasOwn(ORDINALS, name),
      );
      const all = { ...theirs.ids };
      const under = names.map((name) => ({ ...ours.ids, [name]: theirs.ids[name] ?? '' }));
      for (const ids of [all, ...under]) {
        const { status, text } = await sendTo(estate, route, {
          headers,
          ids,
          body: PORTAL_BODIES[route.name],
        });
        expect([route.name, status]).toEqual([route.name, 404]);
        const leaked = [...theirs.own, ...theirs.secrets].filter((secret) => text.includes(secret));
        expect([route.name, leaked]).toEqual([route.name, []]);
      }
    }
    expect(await ofTheirs()).toEqual(before);
  });

  test('only the pages of the service itself act with the cookie', async () => {
    const estate = await estateOn(await openDatabase());
    const { cookie = '', ...meant } = await headersOf(estate, 'owner');
    const tokenName = cookie.replace('__Host-headgate-portal', '__Host-headgate');
    const sessions = [
      [{ cookie }, 401],
      [{ cookie: tokenName, 'sec-fetch-site': 'same-origin' }, 401],
      [{ ...meant, cookie: estate.ours.cookie }, 401],
      [{ ...meant, cookie: cookie.replace('-portal', '-portal2') }, 401],
      [{ ...meant, cookie: `${cookie}; ${cookie}` }, 401],
      [{ ...meant, cookie: `${cookie}; ${estate.ours.cookie}` }, 200],
    ] as const;
    const path = `/projects/${estate.ours.ids.project}/endpoints`;
    for (const [headers, status] of sessions) {
      expect([headers, (await estate.send('GET', path, { headers })).status]).toEqual([headers, status]);
    }
    const changes = open.filter(({ method }) => method !== 'GET');
    for (const route of changes) {
      for (const site of ['cross-site', 'same-site', 'none']) {
        const headers = { ...meant, cookie, 'sec-fetch-site': site, origin: 'https://app.example.com' };
        const { status, text } = await sendTo(estate, route, { headers });
        expect([route.name, site, status]).toEqual([route.name, site, 403]);
        expect(text).toContain('cross_origin');
      }
    }
  });
});
