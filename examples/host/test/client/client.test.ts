/** The typed client, against a host that answers. */
import type { Match } from 'headgate';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { definitions } from '../../src/api-table.js';
import {
  type Api,
  ApiError,
  createApi,
  type Input,
  type Output,
  textOf,
  versionOf,
} from '../../src/client/index.js';
import { PATHS } from '../../src/client/paths.js';
import { databases } from '../db/databases.js';
import { hostOn } from '../world.js';

describe('the types of the client', () => {
  test('are those of the table', () => {
    expectTypeOf<Input<'getRule'>>().toExtend<{ project: string; rule: string }>();
    expectTypeOf<Output<'getProject'>['plan']>().toEqualTypeOf<'hobby' | 'hacker' | 'pro' | 'scale'>();
    expectTypeOf<Output<'listEvents'>['items'][number]['tags']>().toEqualTypeOf<string[]>();
    expectTypeOf<Output<'deleteRule'>>().toEqualTypeOf<undefined>();
    expectTypeOf<Output<'metrics'>>().toEqualTypeOf<Response>();
    // Nothing is required, so the argument may be left out.
    expectTypeOf<Api['getSession']>().toBeCallableWith();
    expectTypeOf<Api['createKey']>()
      .parameter(0)
      .toExtend<{ body: { name: string; scopes: ('ingest' | 'receive' | 'read' | 'manage')[] } }>();
    // @ts-expect-error a parameter of the path is missing
    const missing: Input<'getRule'> = { project: 'p' };
    // @ts-expect-error no such member of the body
    const unknown: Input<'createEndpoint'> = { project: 'p', body: { uri: 'x' } };
    expect([missing, unknown]).toHaveLength(2);
  });

  test('the list of paths is the table', () => {
    const addresses = definitions.map(({ name, method, path, answer, produces }) => [
      name,
      `${method} ${path}${answer === undefined && produces !== undefined ? ' response' : ''}`,
    ]);
    expect(Object.entries(PATHS)).toEqual(addresses);
  });
});

const [sqlite] = databases();

describe('the client', () => {
  test('sends a rule of any depth, and reads it back', async () => {
    const { url, key, project } = await hostOn(await sqlite!.open());
    const api = createApi({ baseUrl: url, key });
    const depth = 50_000;
    let match: Match = { path: 'type', op: 'exists' };
    for (let level = 0; level < depth; level++) match = { all: [match] };
    const rule = { name: 'Deep', stage: 'deliver', priority: 1, match, action: { type: 'drop' } } as const;
    const made = await api.createRule({ project, body: rule });
    let read = (await api.getRule({ project, rule: made.id })).match;
    let levels = 0;
    for (; 'all' in read; levels++) read = read.all[0]!;
    expect(levels).toBe(depth);
  });

  test('keeps the text of an answer with a number that no double holds, and of no other', async () => {
    const { url, key, project, channel, send } = await hostOn(await sqlite!.open());
    const api = createApi({ baseUrl: url, key });
    const { url: address } = await channel();
    const [long, short] = [await send(address, '{"n":12345678901234567890}'), await send(address, '{"n":1}')];
    const event = await api.getEvent({ project, event: long.json.id as string });
    expect(textOf(event)).toContain('"n":12345678901234567890');
    const other = await api.getEvent({ project, event: short.json.id as string });
    expect(textOf(other)).toBeUndefined();
  });

  test('makes, reads, changes with a version, and deletes', async () => {
    const { url, key, project } = await hostOn(await sqlite!.open());
    const api = createApi({ baseUrl: `${url}/`, key });
    const made = await api.createEndpoint({ project, body: { url: 'https://hooks.example.com/a' } });
    const endpoint = await api.getEndpoint({ project, endpoint: made.id });
    const ifMatch = versionOf(endpoint);
    expect(ifMatch).toBe('"1"');
    const edit = { project, endpoint: made.id, body: { name: 'Ä name' } };
    const changed = await api.updateEndpoint({ ...edit, ...(ifMatch !== undefined && { ifMatch }) });
    expect(changed).toMatchObject({ name: 'Ä name', version: 2 });
    await expect(api.updateEndpoint({ ...edit, ifMatch: 1 })).rejects.toMatchObject({
      code: 'version_conflict',
      status: 412,
    });
    const { items } = await api.listEndpoints({ project, query: { limit: 1 } });
    expect(items.map(({ id }) => id)).toEqual([made.id]);
    await expect(api.deleteEndpoint({ project, endpoint: made.id })).resolves.toBeUndefined();
  });

  test('throws each problem as an error with its code, its issues and its request', async () => {
    const { url, key, project } = await hostOn(await sqlite!.open());
    const api = createApi({ baseUrl: url, key });
    const wrong = api.createKey({ project, body: { name: '', scopes: [] } });
    const error = await wrong.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'invalid_request', status: 400, retryAfter: null });
    expect((error as ApiError).issues.map(({ pointer }) => pointer)).toEqual(['/name', '/scopes']);
    expect((error as ApiError).requestId).toMatch(/^[\da-f-]{36}$/);
    await expect(createApi({ baseUrl: url }).getProject({ project })).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  test('sends a raw body, and returns the response if it is not JSON', async () => {
    const { url, key, project } = await hostOn(await sqlite!.open());
    const api = createApi({ baseUrl: url, key });
    const channel = await api.createChannel({ project, body: { name: 'in' } });
    const event = await api.ingest({
      channel: channel.address ?? '',
      body: 'a=1&a=2',
      contentType: 'application/x-www-form-urlencoded',
      idempotencyKey: 'one',
    });
    expect(event).toMatchObject({ status: 'received', duplicate: false });
    const page = await createApi({ baseUrl: url }).referencePage();
    expect(await page.text()).toContain('<title>Headgate API</title>');
    const etag = page.headers.get('etag') ?? '';
    const again = await api.referencePage({ headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('keeps a parameter in its segment, whatever it holds', async () => {
    const asked: string[] = [];
    const api = createApi({
      baseUrl: 'https://hooks.example.com',
      fetch: (url) => {
        asked.push(url as string);
        return Promise.resolve(new Response(null, { status: 204 }));
      },
    });
    await api.deleteRule({ project: 'a/b', rule: '../?#%' });
    expect(asked).toEqual(['https://hooks.example.com/projects/a%2Fb/rules/..%2F%3F%23%25']);
    await expect(api.deleteRule({ project: '..', rule: 'x' })).rejects.toThrow(TypeError);
    await expect(api.deleteRule({ project: '', rule: 'x' })).rejects.toThrow('project: give');
  });

  test('tells a proxy’s answer from one of the service', async () => {
    const answer = () =>
      Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'retry-after': '3' } }));
    const api = createApi({ baseUrl: 'https://hooks.example.com', fetch: answer });
    await expect(api.health()).rejects.toMatchObject({ code: 'internal_error', status: 502, retryAfter: 3 });
  });
});
