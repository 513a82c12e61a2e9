/** Every code of the closed list is produced by a request, with its status, its title and its headers. */
import { afterAll, expect, test } from 'vitest';
import { createApp } from '../../src/api/app.js';
import { bind, type RouteDefinition } from '../../src/api/route.js';
import { health } from '../../src/runtime/routes.js';
import { DatabaseUnavailable } from '../../src/db/index.js';
import { Problem, type ProblemCode, PROBLEMS } from '../../src/errors/problem.js';
import { databases } from '../db/databases.js';
import { type Answer, estateOn, ORIGIN } from './estate.js';

const seen = new Set<string>();
const BUG = new Error('a bug');
const GONE = new Error('aborted');
const [sqlite] = databases();

/** Holds an answer against the list. */
function isProblem({ status, headers, text }: Answer, code: ProblemCode): void {
  const body = JSON.parse(text) as Record<string, unknown>;
  const [expected, title] = PROBLEMS[code];
  expect(body).toMatchObject({ code, status: expected, title, type: `/reference#problem-${code}` });
  expect(status).toBe(expected);
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body.request_id).toBe(headers.get('x-request-id'));
  expect(body.detail).toMatch(/^[^\n]{10,}$/);
  seen.add(code);
}

afterAll(() => {
  expect([...seen].sort()).toEqual(Object.keys(PROBLEMS).sort());
});

test('a host answers with the problems of callers', async () => {
  const estate = await estateOn(await sqlite!.open(), true);
  const { ours, send } = estate;
  const key = ours.keys.all;
  const under = `/projects/${ours.ids.project}`;
  const rule = {
    name: 'A rule',
    stage: 'deliver',
    match: { path: 'data', op: 'exists' },
    action: { type: 'drop' },
    priority: 1,
  };
  const post = (path: string, body: unknown, headers = {}) =>
    send('POST', path, { key, body: typeof body === 'string' ? body : JSON.stringify(body), headers });
  isProblem(await post(`${under}/keys`, {}), 'invalid_request');
  isProblem(await post(`${under}/keys`, '{'), 'invalid_json');
  isProblem(await send('GET', `${under}/keys?cursor=x`, { key }), 'invalid_cursor');
  isProblem(await send('GET', `${under}/keys`), 'unauthorized');
  isProblem(await send('GET', `${under}/keys`, { key: ours.keys.read }), 'forbidden');
  const session = { cookie: ours.cookie, origin: 'https://evil.example' };
  isProblem(await send('POST', `${under}/keys`, { body: '{}', headers: session }), 'cross_origin');
  isProblem(await send('GET', '/nowhere'), 'not_found');
  const notAllowed = await send('PATCH', `${under}/keys`, { key });
  isProblem(notAllowed, 'method_not_allowed');
  expect(notAllowed.headers.get('allow')).toBe('GET, POST');
  const address = ours.own.find((one) => /^[\da-f]{32}$/.test(one) && one !== ours.ids.token) ?? '';
  isProblem(await post(`/in/${address}`, {}), 'signature_invalid');
  const retried = () => send('POST', `${under}/deliveries/${ours.ids.delivery}/retry`, { key });
  expect((await retried()).status).toBe(202);
  isProblem(await retried(), 'conflict');
  const named = { 'x-token': 'canary-ours-source-token', 'idempotency-key': 'one' };
  expect((await post(`/in/${address}`, { a: 1 }, named)).status).toBe(202);
  isProblem(await post(`/in/${address}`, { a: 2 }, named), 'idempotency_conflict');
  const stale = { 'if-match': '"99"' };
  isProblem(await send('PATCH', under, { key, body: '{"name":"x"}', headers: stale }), 'version_conflict');
  isProblem(await post(`${under}/keys`, `"${'x'.repeat(1_100_000)}"`), 'body_too_large');
  isProblem(await post(`${under}/keys`, '{}', { 'content-type': 'text/plain' }), 'unsupported_media_type');
  isProblem(await post(`${under}/rules`, { ...rule, match: { all: 1 } }), 'invalid_rule');
  isProblem(await post(`${under}/endpoints`, { url: 'ftp://x' }), 'invalid_document');
  await post(`${under}/event-types`, { name: 'a', schema: { required: ['b'] }, strict: true });
  isProblem(await post(`${under}/events`, { type: 'a', data: {} }), 'invalid_event');
  const operator = { key: 'canary-operator-key-0123456789-0123456789' };
  await send('PUT', `${under}/plan`, { ...operator, body: '{"plan":"hobby"}' });
  let last = await post(`${under}/rules`, rule);
  for (let i = 0; i < 200 && last.status === 201; i++) last = await post(`${under}/rules`, rule);
  isProblem(last, 'quota_exceeded');
  await estate.host.stop();
  const stopping = await send('GET', '/healthz');
  isProblem(stopping, 'stopping');
  expect(stopping.headers.get('retry-after')).toBe('1');
});

test.for([
  ['what the signal says', GONE, { status: 499, error: undefined }],
  ['a bug', BUG, { status: 500, error: BUG }],
] as const)(
  'a call that ends with %s once its caller is gone is recorded as what it is',
  async ([, thrown, recorded]) => {
    const gone = new AbortController();
    const definition: RouteDefinition = health;
    const served: unknown[] = [];
    const app = createApp({
      routes: [
        bind(definition, () => {
          gone.abort(GONE);
          return Promise.reject(thrown);
        }),
      ],
      authenticate: () => Promise.resolve(null),
      projectExists: () => Promise.resolve(false),
      served: ({ status, error }) => served.push({ status, error }),
      now: () => 0,
      isStopping: () => false,
    });
    await app.fetch(new Request(`${ORIGIN}/healthz`, { signal: gone.signal }));
    expect(served).toEqual([recorded]);
  },
);

test.for([
  ['a bug', new Error('select secret from api_keys'), 'internal_error'],
  ['something that is not an error', { secret: 1 }, 'internal_error'],
  ['a database that is away', new DatabaseUnavailable(new Error('ECONNREFUSED')), 'store_unavailable'],
  [
    'a clock that is wrong',
    new Problem('clock_skewed', 'the clock is 60 s ahead of that of the database'),
    'clock_skewed',
  ],
  [
    'too much to do',
    new Problem('overloaded', 'too many events wait to be stored; try again', { retryAfter: 1 }),
    'overloaded',
  ],
  [
    'too many at once',
    new Problem('too_many_requests', 'two dry-runs at a time; try again', { retryAfter: 1 }),
    'too_many_requests',
  ],
  [
    'a dry-run that takes too long',
    new Problem('dry_run_timeout', 'the dry-run took more than 30 s', { members: { scanned: 1 } }),
    'dry_run_timeout',
  ],
] as const)('%s is answered without a word of its cause', async ([, thrown, code]) => {
  const definition: RouteDefinition = health;
  const app = createApp({
    routes: [bind(definition, () => Promise.reject(thrown as Error))],
    authenticate: () => Promise.resolve(null),
    projectExists: () => Promise.resolve(false),
    served: () => undefined,
    now: () => 0,
    isStopping: () => false,
  });
  const response = await app.fetch(new Request(`${ORIGIN}/healthz`));
  const answer = { status: response.status, headers: response.headers, text: await response.text() };
  isProblem(answer, code);
  expect(answer.text).not.toMatch(/select|ECONNREFUSED|secret/);
});
