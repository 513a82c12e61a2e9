/** Sessions: signing in by key and by link, and signing out. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cookieFor } from '../../src/keys/cookie.js';
import { hashKey } from '../../src/secrets/key-format.js';
import { databases } from '../db/databases.js';
import { ADMIN_KEY, type Served, serve } from '../api/served.js';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
const DAY_MS = 86_400_000;

/** Signs in, and returns the token of the cookie. */
async function signedIn({ send }: Served, body: object): Promise<string> {
  const got = await send('POST', '/session', { body });
  expect(got.status).toBe(201);
  return tokenOf(got.headers.get('set-cookie'));
}
const tokenOf = (cookie: string | null): string => /=(hg_ses_\w+);/.exec(cookie ?? '')?.[1] ?? '';

const withCookie = (token: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { cookie: `__Host-headgate=${token}`, ...SAME_ORIGIN, ...more },
});

/** The status of showing who makes the request. */
const statusWith = async ({ send }: Served, cookie: string): Promise<number> =>
  (await send('GET', '/session', { headers: { cookie } })).status;

describe.each(databases())('sessions on $name', ({ open, create }) => {
  test('a key that may manage begins a session, whose cookie no script reads and no other site sends', async () => {
    const served = serve(await open());
    const { id, key } = await served.project();
    const got = await served.send('POST', '/session', { body: { key } });
    expect(got.headers.get('set-cookie')).toMatch(
      /^__Host-headgate=hg_ses_\w{49}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(got.text).not.toContain(tokenOf(got.headers.get('set-cookie')));
    expect(got.body).toMatchObject({ project: id, scopes: ['read', 'manage'] });

    const who = await served.send('GET', '/session', withCookie(tokenOf(got.headers.get('set-cookie'))));
    expect(who.body).toEqual({ ...got.body });
    const stored = JSON.stringify(await served.db.all('select * from sessions'));
    expect(stored).not.toContain(tokenOf(got.headers.get('set-cookie')).slice(7));
  });

  test.for([
    ['read', 201, ['read']],
    ['manage', 201, ['manage']],
    ['ingest', 403, undefined],
    ['receive', 403, undefined],
  ] as const)('a key that may %s signs in with status %i', async ([scope, status, scopes]) => {
    const served = serve(await open());
    const { id } = await served.project();
    const { key } = await served.key(id, scope);
    const got = await served.send('POST', '/session', { body: { key } });
    expect([got.status, got.body.scopes]).toEqual([status, scopes]);
  });

  test.for([
    [{}, 400],
    [{ key: 'hg_key_x', token: 'hg_once_x' }, 400],
    [{ key: 'hg_key_x' }, 401],
    [{ token: 'hg_once_x' }, 401],
    [{ key: ADMIN_KEY }, 401],
    [{ key: 'hg_key_x', scopes: ['manage'] }, 400],
    [{ key: 'x'.repeat(1_000) }, 400],
    [{ key: ['hg_key_x'] }, 400],
  ] as const)('signing in with %j is %i', async ([body, status]) => {
    expect((await serve(await open()).send('POST', '/session', { body })).status).toBe(status);
  });

  test('a link begins one session, however many try at once, and only within its hour', async () => {
    const served = serve(await open());
    const { id } = await served.project();
    const token = await served.keys.signInLink(id);
    const tries = Array.from({ length: 8 }, () => served.send('POST', '/session', { body: { token } }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array<number>(7).fill(401)]);
    expect(await served.db.all('select * from sessions')).toHaveLength(1);

    const late = await served.keys.signInLink(id);
    served.clock.advance(3_600_000);
    expect((await served.send('POST', '/session', { body: { token: late } })).status).toBe(401);
  });

  test('each kind of token opens its own door alone', async () => {
    const served = serve(await open());
    const { id, key } = await served.project();
    const once = await served.keys.signInLink(id);
    const session = await signedIn(served, { key });
    const path = `/projects/${id}`;
    for (const token of [session, once]) {
      expect((await served.send('GET', path, { key: token })).status).toBe(401);
      expect((await served.send('POST', '/session', { body: { key: token } })).status).toBe(401);
    }
    for (const token of [key, once]) expect(await statusWith(served, `__Host-headgate=${token}`)).toBe(401);
    for (const token of [key, session]) {
      expect((await served.send('POST', '/session', { body: { token } })).status).toBe(401);
    }
  });

  test('signing out ends a session in every spelling of its cookie', async () => {
    const served = serve(await open());
    const { key } = await served.project();
    const spellingsOf = (token: string): string[] => [
      ...[`__Host-headgate=${token}`, `__Host-headgate="${token}"`, `__Host-headgate= ${token}`],
      ...[`__Host-headgate=${token} `, `headgate=${token}`, `__host-headgate=${token}`],
      ...[
        `__Host-headgate=${encodeURIComponent(`${token}\u00a0`)}`,
        `__Host-headgate=${token.toUpperCase()}`,
      ],
      ...[
        `__Host-headgate=${token}; __Host-headgate=${token}`,
        `__Host-headgate=${token}==`,
        `a=b;\t__Host-headgate=${token}`,
      ],
    ];
    for (const [i] of spellingsOf('').entries()) {
      const token = await signedIn(served, { key });
      const spellings = spellingsOf(token);
      const cookie = spellings[i] ?? '';
      const before = await statusWith(served, cookie);
      const out = await served.send('DELETE', '/session', { headers: { cookie, ...SAME_ORIGIN } });
      expect(out.status).toBe(204);
      expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
      // No spelling of the cookie that signed out is a session any more.
      if (before !== 200) continue;
      for (const spelling of spellings) expect.soft(await statusWith(served, spelling), spelling).toBe(401);
    }
  });

  test('no spelling but the exact one is a session', async () => {
    const served = serve(await open());
    const { key } = await served.project();
    const token = await signedIn(served, { key });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.constantFrom('', 'x', 'X', '_', '%', '"', ' ', '=', token.charAt(20)),
        async (at, char) => {
          const other = token.slice(0, at) + char + token.slice(at + 1);
          fc.pre(other.trim() !== token);
          expect(await statusWith(served, `__Host-headgate=${other}`)).toBe(401);
        },
      ),
      { numRuns: 50 },
    );
    expect(await statusWith(served, `__Host-headgate=${token}`)).toBe(200);
  });

  test('a second cookie of the name, which another host may have planted, makes both void', async () => {
    const served = serve(await open());
    const { key } = await served.project();
    const [mine, planted] = [await signedIn(served, { key }), await signedIn(served, { key })];
    expect(await statusWith(served, `__Host-headgate=${mine}; __Host-headgate=${planted}`)).toBe(401);
    expect(await statusWith(served, `headgate=${planted}`)).toBe(401);
    expect(await statusWith(served, `headgate=${planted}; __Host-headgate=${mine}`)).toBe(200);
  });

  test('a session ends after seven days, and with its key', async () => {
    const served = serve(await open());
    const { id, key } = await served.project();
    const made = await served.key(id, 'read');
    const [lasting, ending] = [await signedIn(served, { key }), await signedIn(served, { key: made.key })];
    const statuses = (): Promise<number[]> =>
      Promise.all([lasting, ending].map((token) => statusWith(served, `__Host-headgate=${token}`)));
    expect(await statuses()).toEqual([200, 200]);
    await served.send('DELETE', `/projects/${id}/keys/${made.id}`, { key });
    expect(await statuses()).toEqual([200, 401]);
    served.clock.advance(7 * DAY_MS - 1);
    expect(await statuses()).toEqual([200, 401]);
    served.clock.advance(1);
    expect(await statuses()).toEqual([401, 401]);
  });

  test('a session that is begun with a key that another process has just revoked is invalid', async () => {
    const connect = create();
    const one = serve(await connect());
    const two = serve({ ...(await connect()), listen: () => () => undefined }, undefined, one.clock);
    const { id, key } = await one.project();
    const made = await one.key(id, 'manage');
    expect((await two.send('GET', '/session', { key: made.key })).status).toBe(200);
    await one.send('DELETE', `/projects/${id}/keys/${made.id}`, { key });
    // The other process has not heard of it, and still takes the key for a second.
    const token = await signedIn(two, { key: made.key });
    for (const served of [one, two]) expect(await statusWith(served, `__Host-headgate=${token}`)).toBe(401);
  });

  test.for(['/session', '/projects/{project}/sessions'])(
    'a process that hears no notification ends its own sessions at once: DELETE %s',
    async (path) => {
      const served = serve({ ...(await open()), listen: () => () => undefined });
      const { id, key } = await served.project();
      const cookie = `__Host-headgate=${await signedIn(served, { key })}`;
      expect(await statusWith(served, cookie)).toBe(200);
      const headers = { cookie, ...SAME_ORIGIN };
      const out = await served.send('DELETE', path.replace('{project}', id), { headers });
      expect(out.status).toBeLessThan(300);
      expect(await statusWith(served, cookie)).toBe(401);
    },
  );

  test('a sign-out holds in other processes within a second', async () => {
    const connect = create();
    const one = serve(await connect());
    const two = serve({ ...(await connect()), listen: () => () => undefined }, undefined, one.clock);
    const { key } = await one.project();
    const cookie = `__Host-headgate=${await signedIn(one, { key })}`;
    expect(await statusWith(two, cookie)).toBe(200);
    await one.send('DELETE', '/session', { headers: { cookie, ...SAME_ORIGIN } });
    expect(await statusWith(one, cookie)).toBe(401);
    one.clock.advance(1_000);
    expect(await statusWith(two, cookie)).toBe(401);
  });

  test('signing out everywhere ends all sessions of the project, its unused links, and no others', async () => {
    const served = serve(await open());
    const [mine, other] = [await served.project(), await served.project()];
    const link = await served.keys.signInLink(mine.id);
    const tokens = [await signedIn(served, { key: mine.key }), await signedIn(served, { key: mine.key })].map(
      (one) => `__Host-headgate=${one}`,
    );
    const theirs = `__Host-headgate=${await signedIn(served, { key: other.key })}`;
    const headers = { cookie: tokens[0] ?? '', ...SAME_ORIGIN };
    const got = await served.send('DELETE', `/projects/${mine.id}/sessions`, { headers });
    expect([got.status, got.body]).toEqual([200, { ended: 2 }]);
    expect(got.headers.get('set-cookie')).toContain('Max-Age=0');
    for (const cookie of tokens) expect(await statusWith(served, cookie)).toBe(401);
    expect(await statusWith(served, theirs)).toBe(200);
    expect((await served.send('POST', '/session', { body: { token: link } })).status).toBe(401);
    expect((await served.send('GET', `/projects/${mine.id}`, { key: mine.key })).status).toBe(200);
  });

  test.for([
    ['cross-site', undefined, 403],
    ['same-site', undefined, 403],
    ['none', undefined, 403],
    ['same-origin', 'https://elsewhere.example', 204],
    [undefined, 'https://elsewhere.example', 403],
    [undefined, 'null', 403],
    [undefined, undefined, 403],
    [undefined, 'http://hooks.example.com', 204],
  ] as const)('signing out with Sec-Fetch-Site %s and Origin %s is %i', async ([site, origin, status]) => {
    const served = serve(await open());
    const { key } = await served.project();
    const cookie = `__Host-headgate=${await signedIn(served, { key })}`;
    const headers = { cookie, ...(site && { 'sec-fetch-site': site }), ...(origin && { origin }) };
    const got = await served.send('DELETE', '/session', { headers });
    expect(got.status).toBe(status);
    expect(await statusWith(served, cookie)).toBe(status === 204 ? 401 : 200);
  });

  test('a bearer key counts before the cookie, and another scheme leaves it', async () => {
    const served = serve(await open());
    const { key } = await served.project();
    const token = await signedIn(served, { key });
    const status = async (authorization: string): Promise<number> =>
      (await served.send('GET', '/session', withCookie(token, { authorization }))).status;
    expect(await status('Bearer wrong')).toBe(401);
    expect(await status('Basic cHJveHk6cHJveHk=')).toBe(200);
  });

  test('each sign-in and sign-out is in the audit log, without its token', async () => {
    const served = serve(await open());
    const { id, key } = await served.project();
    const token = await signedIn(served, { token: await served.keys.signInLink(id) });
    await served.send('DELETE', '/session', withCookie(token));
    const other = await signedIn(served, { key });
    await served.send('DELETE', `/projects/${id}/sessions`, withCookie(other));
    const entries = await served.db.all<{ actor: string; action: string }>(
      "select * from audit_log where action like 'session%' order by id",
    );
    expect(entries.map(({ action }) => action).sort()).toEqual([
      ...['session.created', 'session.created', 'session.ended', 'sessions.ended'],
    ]);
    expect(entries.map(({ actor }) => actor)).toContain('session:link');
    for (const secret of [token, other, hashKey(token)]) {
      expect(JSON.stringify(entries)).not.toContain(secret);
    }
  });
});

describe('the name of the cookie', () => {
  test.for([
    ['localhost:8080', undefined, {}, 'headgate'],
    ['dashboard.localhost:8080', undefined, {}, 'headgate'],
    ['127.0.0.1:8080', undefined, {}, 'headgate'],
    ['[::1]:8080', undefined, {}, 'headgate'],
    ['hooks.example.com', undefined, {}, '__Host-headgate'],
    ['localhost.example.com', undefined, {}, '__Host-headgate'],
    ['127.0.0.1.example.com', undefined, {}, '__Host-headgate'],
    ['10.0.0.5:8080', undefined, {}, '__Host-headgate'],
    ['localhost:8080', 'https://hooks.example.com', {}, '__Host-headgate'],
    ['localhost:8080', 'https://localhost', {}, '__Host-headgate'],
    ['hooks.example.com', 'http://localhost:8080', {}, 'headgate'],
    ['localhost:8080', undefined, { 'x-forwarded-proto': 'https' }, '__Host-headgate'],
    ['localhost:8080', undefined, { forwarded: 'proto=https' }, '__Host-headgate'],
    ['not a host', undefined, {}, '__Host-headgate'],
    ['', undefined, {}, '__Host-headgate'],
  ] as const)('at %s with the origin %s and %j is %s', ([host, origin, more, name]) => {
    const cookie = cookieFor(new Headers({ ...(host !== '' && { host }), ...more }), origin);
    expect(cookie).toEqual({ name, isSecure: name === '__Host-headgate', isPortal: false });
  });
});
