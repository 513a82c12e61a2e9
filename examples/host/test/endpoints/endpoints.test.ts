/** Endpoints: made, changed, paused, tested, and what the scheduler reports about them. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LookupFunction } from 'node:net';
import fc from 'fast-check';
import { checkUrl, createHttpTransport } from 'headgate/http';
import { createVerifier } from 'headgate/signing';
import { afterAll, describe, expect, test } from 'vitest';
import { createChannels } from '../../src/channels/channels.js';
import type { Database } from '../../src/db/index.js';
import { createEndpoints, type Endpoints } from '../../src/endpoints/endpoints.js';
import { createSealer } from '../../src/secrets/sealing.js';
import { type Got, serve } from '../api/served.js';
import { databases } from '../db/databases.js';
import { insertDeliveries } from '../db/library-rows.js';
import { NO_ALERTS } from '../alerts/no-alerts.js';

const URL_1 = 'https://example.com/hooks?token=abc';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A receiver on this machine, and what it was sent. */
interface Receiver {
  readonly port: number;
  readonly got: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
  status: number;
  connections: number;
  close(): Promise<void>;
}

const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

async function receive(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      receiver.got.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(receiver.status).end('a body that nobody reads');
    });
  });
  server.on('connection', () => receiver.connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const receiver: Receiver = { port, got: [], status: 200, connections: 0, close };
  receivers.push(receiver);
  return receiver;
}

/** Names of this network point to this machine, as a rebinding name server would have it. */
const rebinding = ((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
  done(null, [{ address: '127.0.0.1', family: 4 }])) as unknown as LookupFunction;

interface WorldOptions {
  /** Lets tests reach this machine. */
  readonly allowLoopback?: boolean;
  readonly lookup?: LookupFunction;
}

async function world(db: Database, { allowLoopback = false, lookup }: WorldOptions = {}) {
  const rules = allowLoopback ? { allow: ['127.0.0.0/8'] } : {};
  const transport = createHttpTransport({ ...rules, ...(lookup && { lookup }) });
  let endpoints: Endpoints | undefined;
  const sealer = createSealer([{ id: 'k1', key: randomBytes(32) }]);
  let secretsOf: (channel: string) => Promise<readonly string[]> = () => Promise.resolve([]);
  const served = serve(db, (parts) => {
    const channels = createChannels({ ...parts, sealer, publicUrl: 'https://hooks.example.com' });
    secretsOf = (channel) => channels.secretsOf(channel);
    endpoints = createEndpoints({
      ...parts,
      checkUrl: (url) => checkUrl(url, rules),
      send: (request, signal) => transport.send(request, signal),
      channelOf: (project, id) => channels.channelOf(project, id),
      secretsOf,
      unusableIn: (queries, id) => channels.unusableIn(queries, id),
      sealer,
      alerts: NO_ALERTS,
      wake: () => undefined,
    });
    return [...channels.routes, ...endpoints.routes];
  });
  const { id: project, key } = await served.project();
  const on = (method: string, path: string, body?: unknown, headers = {}): Promise<Got> =>
    served.send(method, `/projects/${project}/endpoints${path}`, { key, body, headers });
  const create = async (body: object = { url: URL_1 }): Promise<Shown> => {
    const got = await on('POST', '', body);
    expect(got.status, got.text).toBe(201);
    return got.body as unknown as Shown;
  };
  const channel = async (name = 'Shop'): Promise<string> => {
    const got = await served.send('POST', `/projects/${project}/channels`, { key, body: { name } });
    return got.body.id as string;
  };
  const module = endpoints as unknown as Endpoints;
  return {
    ...served,
    endpoints: module,
    projectId: project,
    projectKey: key,
    on,
    create,
    channel,
    secretsOf,
  };
}
interface Shown {
  readonly id: string;
  readonly status: string;
  readonly version: number;
}

describe.each(databases())('endpoints on $name', ({ open, create }) => {
  test('an endpoint has the defaults of the specification, and its host as its name', async () => {
    const { create, endpoints, projectId } = await world(await open());
    const made = await create();
    expect(made).toEqual({
      id: made.id,
      name: 'example.com',
      url: URL_1,
      status: 'active',
      paused_by: null,
      retry_max_attempts: 5,
      retry_backoff_base_seconds: 60,
      retry_after: 'honor',
      retry_delays: null,
      rate_limit_per_second: null,
      topics: null,
      ordering: 'none',
      on_exhausted: 'continue',
      purpose: 'events',
      signature: 'svc',
      secret: 'channel',
      headers: {},
      exchange: true,
      failing_since: null,
      version: 1,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    });
    expect(await endpoints.subscribers(projectId, 'any')).toEqual([
      { id: made.id, status: 'active', ordering: 'none' },
    ]);
    expect(await endpoints.target(made.id)).toEqual({
      url: URL_1,
      retry_max_attempts: 5,
      retry_backoff_base_seconds: 60,
      retry_after: 'honor',
      retry_delays: null,
      on_exhausted: 'continue',
      rate_limit_per_second: null,
      signature: 'svc',
      headers: null,
      secrets: null,
      failing_since: null,
      exchange: true,
    });
  });

  test.for([
    ['http://169.254.169.254/latest/meta-data', 'metadata'],
    ['http://[64:ff9b::a9fe:a9fe]/', 'metadata by NAT64'],
    ['http://[2002:a9fe:a9fe::]/', 'metadata by 6to4'],
    ['http://[::ffff:169.254.169.254]/', 'metadata, mapped'],
    ['http://[2001:0:a9fe:a9fe::]/', 'Teredo'],
    ['http://[fd00:ec2::254]/', 'metadata by IPv6'],
    ['http://2852039166/', 'metadata as one number'],
    ['http://0xA9.0xFE.0xA9.0xFE/', 'metadata in hex'],
    ['http://localhost/', 'this machine'],
    ['http://127.1/', 'this machine, short'],
    ['http://[::1]/', 'this machine by IPv6'],
    ['http://10.0.0.1/', 'a private network'],
    ['http://0.0.0.0/', 'any address'],
    ['ftp://example.com/', 'another scheme'],
    ['file:///etc/passwd', 'a file'],
    ['https://user:pass@example.com/', 'credentials'],
    ['https://example.com:25/', 'a port of mail'],
    ['example.com', 'no scheme'],
    ['', 'nothing'],
  ] as const)('%s is refused, on making and on changing: %s', async ([url]) => {
    const { on, create } = await world(await open());
    const { id } = await create();
    for (const got of [await on('POST', '', { url }), await on('PATCH', `/${id}`, { url })]) {
      expect([got.status, got.body.code]).toEqual([422, 'invalid_document']);
      expect(got.body.issues).toMatchObject([{ pointer: '/url' }]);
      expect(got.text).not.toContain('pass@');
    }
    expect((await on('GET', `/${id}`)).body.url).toBe(URL_1);
  });

  test.for([
    ...['id', 'project_id', 'status', 'paused_by', 'failing_since', 'version', 'created_at'],
    ...['secrets', 'signing_secret', 'metadata', 'channel_id', '__proto__', 'constructor'],
  ])('the member %s is refused, on making and on changing', async (member) => {
    const { on, create, db } = await world(await open());
    const { id } = await create();
    const text = `{"url":"${URL_1}","name":"x","${member}":"whsec_1"}`;
    for (const got of [await on('POST', '', text), await on('PATCH', `/${id}`, text)]) {
      expect([got.status, got.body.code]).toEqual([400, 'invalid_request']);
    }
    expect(await db.get('select count(*) as count, max(version) as version from endpoints')).toEqual({
      count: 1,
      version: 1,
    });
  });

  test.for([
    { retry_max_attempts: 0 },
    { retry_max_attempts: 101 },
    { retry_max_attempts: 1.5 },
    { retry_backoff_base_seconds: 0 },
    { retry_backoff_base_seconds: 86_401 },
    { retry_after: 'never' },
    { retry_after: null },
    { retry_delays: [] },
    { retry_delays: Array(21).fill(60) },
    { retry_delays: [60, 0] },
    { retry_delays: [2_592_001] },
    { retry_delays: [1.5] },
    { retry_delays: '60' },
    { signature: 'stripe' },
    { signature: null },
    { rate_limit_per_second: 0 },
    { rate_limit_per_second: 10_001 },
    { rate_limit_per_second: '5' },
    { name: '' },
    { name: 'a\u0000b' },
    { url: 'https://example.com/\ud800' },
    { url: 'https://example.com/a\u0000' },
    { url: ' https://example.com/' },
    { url: `https://example.com/${'x'.repeat(8_192)}` },
    { url: ['https://example.com/'] },
  ])('%j is refused', async (edit) => {
    const { on, create } = await world(await open());
    const { id } = await create();
    expect((await on('POST', '', { url: URL_1, ...edit })).status).toBe(400);
    expect((await on('PATCH', `/${id}`, edit)).status).toBe(400);
  });

  test('pauses, resumes and edits go as the model goes, with and without the version that was read', async () => {
    const { on, create, endpoints, projectId, db } = await world(await open());
    const ifMatch = fc.constantFrom(undefined, '*', 'now', 'old');
    const step = fc.record({ do: fc.constantFrom('pause', 'resume', 'rename', 'nothing'), ifMatch });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { id } = await create();
        let model = { status: 'active', paused_by: null as string | null, name: 'example.com', version: 1 };
        for (const { do: act, ifMatch: match } of steps) {
          const tag = { now: `"${model.version}"`, old: `"${model.version - 1}"`, '*': '*' };
          const headers = match === undefined ? {} : { 'if-match': tag[match] };
          const entries = (await db.all('select id from audit_log')).length;
          const got =
            act === 'rename' || act === 'nothing'
              ? await on('PATCH', `/${id}`, act === 'rename' ? { name: `n${model.version}` } : {}, headers)
              : await on('POST', `/${id}/${act}`, undefined, headers);
          if (match === 'old') {
            expect([got.status, got.body.version]).toEqual([412, model.version]);
            continue;
          }
          const version = model.version + 1;
          if (act === 'pause' && model.status === 'active') {
            model = { ...model, status: 'paused', paused_by: 'operator', version };
          } else if (act === 'resume' && model.status === 'paused') {
            model = { ...model, status: 'active', paused_by: null, version };
          } else if (act === 'rename') {
            model = { ...model, name: `n${model.version}`, version };
          }
          expect(got.status).toBe(200);
          expect(got.body).toMatchObject(model);
          expect(got.headers.get('etag')).toBe(`"${model.version}"`);
          expect(await endpoints.subscribers(projectId, 'any')).toContainEqual({
            id,
            status: model.status,
            ordering: 'none',
          });
          const isChange = model.version === version;
          expect(await db.all('select id from audit_log')).toHaveLength(entries + (isChange ? 1 : 0));
        }
      }),
      { numRuns: 20 },
    );
  });

  test('of edits at one time that have read one version, one is taken', async () => {
    const { on, create } = await world(await open());
    const { id } = await create();
    const edits = Array.from({ length: 8 }, (_, i) =>
      on('PATCH', `/${id}`, { name: `edit ${i}` }, { 'if-match': '"1"' }),
    );
    const statuses = (await Promise.all(edits)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(7).fill(412)]);
  });

  test('an edit holds here at once, and in a process that hears nothing within a second', async () => {
    const connect = create();
    const one = await world(await connect());
    const deaf = { ...(await connect()), listen: () => () => undefined };
    const { id } = await one.create();
    const other = createEndpoints({
      wake: () => undefined,
      alerts: NO_ALERTS,
      db: deaf,
      now: one.clock.now,
      checkUrl: () => null,
      send: () => Promise.reject(new Error('not sent here')),
      channelOf: () => Promise.resolve(null),
      secretsOf: () => Promise.resolve([]),
      unusableIn: () => Promise.resolve(null),
      sealer: createSealer([{ id: 'k1', key: randomBytes(32) }]),
    });
    expect(await other.subscribers(one.projectId, 'any')).toEqual([
      { id, status: 'active', ordering: 'none' },
    ]);
    const edit = {
      url: 'https://example.org/',
      rate_limit_per_second: 0.5,
      retry_after: 'ignore',
      retry_delays: [5, 300],
      signature: 'both',
    };
    await one.on('PATCH', `/${id}`, edit);
    expect(await other.target(id)).toMatchObject(edit);
    await one.on('POST', `/${id}/pause`);
    expect(await one.endpoints.subscribers(one.projectId, 'any')).toEqual([
      { id, status: 'paused', ordering: 'none' },
    ]);
    one.clock.advance(1_000);
    expect(await other.subscribers(one.projectId, 'any')).toEqual([
      { id, status: 'paused', ordering: 'none' },
    ]);
    await one.on('DELETE', `/${id}`);
    expect(await other.target(id)).toBeNull();
    expect(await one.endpoints.subscribers(one.projectId, 'any')).toEqual([]);
  });

  test('delays are listed, audited, and given up again', async () => {
    const { on, create, endpoints, db } = await world(await open());
    const { id } = await create();
    const listed = [5, 300, 2_592_000];
    expect((await on('PATCH', `/${id}`, { retry_delays: listed })).body.retry_delays).toEqual(listed);
    const same = await on('PATCH', `/${id}`, { retry_delays: listed });
    expect([same.body.retry_delays, same.body.version]).toEqual([listed, 2]);
    expect(await endpoints.target(id)).toMatchObject({ retry_delays: listed, retry_max_attempts: 5 });
    const [entry] = await db.all<{ after: string }>(
      "select after from audit_log where action = 'endpoint.updated'",
    );
    expect(JSON.parse(entry!.after)).toMatchObject({ retry_delays: listed });
    expect((await on('PATCH', `/${id}`, { retry_delays: null })).body.retry_delays).toBeNull();
    expect((await on('POST', '', { url: URL_1, retry_delays: [1] })).body.retry_delays).toEqual([1]);
  });

  test('look-ups of one tick are one statement', async () => {
    const db = await open();
    let statements = 0;
    const counting: Database = {
      ...db,
      all: (sql, values) => {
        statements++;
        return db.all(sql, values);
      },
    };
    const { create, endpoints } = await world(counting);
    const made = [await create(), await create(), await create()];
    statements = 0;
    const ids = [...made.map(({ id }) => id), 'none', ...made.map(({ id }) => id)];
    const targets = await Promise.all(ids.map((id) => endpoints.target(id)));
    expect(targets.map((target) => target?.url)).toEqual([
      URL_1,
      URL_1,
      URL_1,
      undefined,
      URL_1,
      URL_1,
      URL_1,
    ]);
    expect(statements).toBe(1);
  });

  test('nothing of another project is read or changed by its id', async () => {
    const mine = await world(await open());
    const other = await mine.project();
    const made = await mine.send('POST', `/projects/${other.id}/endpoints`, {
      key: other.key,
      body: { url: URL_1 },
    });
    const path = `/${made.body.id as string}`;
    const tries = [
      ['GET', path],
      ['PATCH', path, { name: 'mine' }],
      ['DELETE', path],
      ['POST', `${path}/pause`],
      ['POST', `${path}/resume`],
      ['POST', `${path}/test`],
      ['GET', `${path}/health`],
    ] as const;
    for (const [method, tried, body] of tries) {
      expect.soft((await mine.on(method, tried, body)).status, `${method} ${tried}`).toBe(404);
    }
    expect((await mine.on('GET', '')).body.items).toEqual([]);
    const theirs = await mine.send('GET', `/projects/${other.id}/endpoints${path}`, { key: other.key });
    expect(theirs.body).toMatchObject({ version: 1, status: 'active' });
  });

  test('the audit log leaves out the query of a URL', async () => {
    const { create, on, db } = await world(await open());
    const { id } = await create();
    await on('PATCH', `/${id}`, { url: 'https://example.com/hooks?token=sesame' });
    await on('DELETE', `/${id}`);
    const entries = JSON.stringify(await db.all("select * from audit_log where action like 'endpoint.%'"));
    expect(entries).toContain('https://example.com/hooks?…');
    expect(entries).not.toMatch(/token|sesame/);
  });
});

describe.each(databases())('test sends on $name', ({ open }) => {
  test('a test is signed by the oldest channel, sent once, and leaves nothing behind', async () => {
    const receiver = await receive();
    const { create, on, channel, secretsOf, db, clock } = await world(await open(), { allowLoopback: true });
    const { id } = await create({ url: `http://127.0.0.1:${receiver.port}/hooks?token=abc` });
    const oldest = await channel('Oldest');
    clock.advance(1);
    const newer = await channel('Newer');
    const first = await on('POST', `/${id}/test`);
    expect([first.status, first.body]).toMatchObject([200, { ok: true, status: 200, channel_id: oldest }]);
    receiver.status = 500;
    const second = await on('POST', `/${id}/test`, { channel_id: newer });
    expect(second.body).toMatchObject({ ok: false, status: 500, failure: 'http_status', channel_id: newer });

    expect(receiver.got).toHaveLength(2);
    for (const [i, channelId] of [oldest, newer].entries()) {
      const { headers, body } = receiver.got[i] as Receiver['got'][number];
      const verify = createVerifier({
        secrets: await secretsOf(channelId),
        now: () => Math.floor(clock.now() / 1_000),
      });
      expect(() => verify(Buffer.from(body), headers)).not.toThrow();
      expect(headers).toMatchObject({ 'svc-event-type': 'endpoint.test', 'svc-origin': 'live' });
      expect(JSON.parse(body)).toMatchObject({ type: 'endpoint.test', channel: { id: channelId }, tags: [] });
    }
    for (const table of ['events', 'event_log', '{deliveries}', '{attempts}', 'endpoint_minutes']) {
      expect(await db.all(`select * from ${table}`)).toEqual([]);
    }
  });

  test('a paused endpoint is tested too, and a project without a channel is told to make one', async () => {
    const receiver = await receive();
    const { create, on, channel } = await world(await open(), { allowLoopback: true });
    const { id } = await create({ url: `http://127.0.0.1:${receiver.port}/` });
    await on('POST', `/${id}/pause`);
    expect((await on('POST', `/${id}/test`)).body.code).toBe('conflict');
    await channel();
    expect((await on('POST', `/${id}/test`)).body.ok).toBe(true);
    const other = await on('POST', `/${id}/test`, { channel_id: id });
    expect([other.status, other.body.code]).toEqual([409, 'conflict']);
  });

  test('a name that resolves to this machine, after it was saved, reaches nothing', async () => {
    const receiver = await receive();
    const { create, on, channel } = await world(await open(), { lookup: rebinding });
    await channel();
    const { id } = await create({ url: `http://rebound.example.com:${receiver.port}/` });
    const got = await on('POST', `/${id}/test`);
    expect(got.body).toMatchObject({ ok: false, failure: 'address_refused', status: null });
    expect(receiver.connections).toBe(0);
  });

  test('a URL that slipped into the database past the check reaches nothing either', async () => {
    const receiver = await receive();
    const { create, on, channel, db } = await world(await open());
    await channel();
    const { id } = await create();
    await db.run('update endpoints set url = $1', [`http://127.0.0.1:${receiver.port}/`]);
    expect((await on('POST', `/${id}/test`)).body).toMatchObject({ ok: false, failure: 'address_refused' });
    expect(receiver.connections).toBe(0);
  });

  test('a redirect is not followed', async () => {
    const [receiver, target] = [await receive(), await receive()];
    const { create, on, channel } = await world(await open(), { allowLoopback: true });
    await channel();
    const { id } = await create({ url: `http://127.0.0.1:${receiver.port}/` });
    receiver.status = 307;
    expect((await on('POST', `/${id}/test`)).body).toMatchObject({ ok: false, status: 307 });
    expect(target.connections).toBe(0);
  });

  test('four tests of a project run at a time, and none of them holds up another project', async () => {
    const db = await open();
    const held: (() => void)[] = [];
    const channelOf = (): Promise<{ id: string; name: string }> => Promise.resolve({ id: 'c', name: 'c' });
    let module: Endpoints | undefined;
    const served = serve(db, (parts) => {
      module = createEndpoints({
        wake: () => undefined,
        alerts: NO_ALERTS,
        ...parts,
        checkUrl: () => null,
        send: () => new Promise((resolve) => held.push(() => resolve({ ok: true, status: 200 }))),
        channelOf,
        secretsOf: () => Promise.resolve(['whsec_1']),
        unusableIn: () => Promise.resolve(null),
        sealer: createSealer([{ id: 'k1', key: randomBytes(32) }]),
      });
      return module.routes;
    });
    const [mine, other] = [await served.project(), await served.project()];
    const tester = async ({ id, key }: typeof mine): Promise<() => Promise<Got>> => {
      const made = await served.send('POST', `/projects/${id}/endpoints`, { key, body: { url: URL_1 } });
      return () => served.send('POST', `/projects/${id}/endpoints/${made.body.id as string}/test`, { key });
    };
    const [test1, test2] = [await tester(mine), await tester(other)];
    const running = Array.from({ length: 4 }, test1);
    await expect.poll(() => held.length).toBe(4);
    const refused = await test1();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    const free = test2();
    await expect.poll(() => held.length).toBe(5);
    for (const release of held.splice(0)) release();
    expect((await Promise.all([...running, free])).map(({ status }) => status)).toEqual(Array(5).fill(200));
    const again = test1();
    await expect.poll(() => held.length).toBe(1);
    held[0]?.();
    expect((await again).status).toBe(200);
  });
});

describe.each(databases())('the health of endpoints on $name', ({ open }) => {
  const setDays = async (
    { projects, send, projectId, projectKey }: Awaited<ReturnType<typeof world>>,
    days: number | null,
  ) => {
    void projects;
    const got = await send('PATCH', `/projects/${projectId}`, {
      key: projectKey,
      body: { auto_pause_days: days },
    });
    expect(got.status).toBe(200);
  };

  test('failures count from the first, and a success ends those that it has seen', async () => {
    const { create, endpoints } = await world(await open());
    const { id } = await create();
    const since = async () => (await endpoints.target(id))?.failing_since;
    await endpoints.failing(id, 1_000);
    await endpoints.failing(id, 2_000);
    expect(await since()).toBe(1_000);
    await endpoints.recovered(id, 500);
    expect(await since()).toBe(1_000);
    await endpoints.recovered(id, 1_000);
    expect(await since()).toBeNull();
  });

  test.for([
    [null, 30, 'active'],
    [3, 3, 'paused'],
    [3, 2.99, 'active'],
    [1, 1, 'paused'],
  ] as const)('with the option %s, %d days of failures leave it %s', async ([option, days, status]) => {
    const made = await world(await open());
    const { create, endpoints, on, clock, db, projectId } = made;
    await setDays(made, option);
    const { id } = await create();
    const since = clock.now();
    await endpoints.failing(id, since);
    clock.advance(days * DAY_MS);
    await endpoints.exhausted(id, since);
    await endpoints.exhausted(id, since);
    const got = await on('GET', `/${id}`);
    const by = status === 'paused' ? 'failures' : null;
    expect(got.body).toMatchObject({ status, paused_by: by });
    expect(await endpoints.subscribers(projectId, 'any')).toEqual([{ id, status, ordering: 'none' }]);
    const entries = await db.all("select actor from audit_log where action = 'endpoint.paused'");
    expect(entries).toEqual(status === 'paused' ? [{ actor: 'service' }] : []);
  });

  test('an endpoint that has recovered meanwhile, is paused already or is gone, is left alone', async () => {
    const made = await world(await open());
    const { create, endpoints, on, clock } = made;
    await setDays(made, 1);
    const [recovered, paused, gone] = [await create(), await create(), await create()];
    const since = clock.now();
    for (const { id } of [recovered, paused, gone]) await endpoints.failing(id, since);
    await endpoints.recovered(recovered.id, since);
    await on('POST', `/${paused.id}/pause`);
    await on('DELETE', `/${gone.id}`);
    clock.advance(2 * DAY_MS);
    for (const { id } of [recovered, paused, gone]) await endpoints.exhausted(id, since);
    expect((await on('GET', `/${recovered.id}`)).body.status).toBe('active');
    expect((await on('GET', `/${paused.id}`)).body.paused_by).toBe('operator');
  });

  test('resuming forgets the failures, so that the next one does not pause it again', async () => {
    const made = await world(await open());
    const { create, endpoints, on, clock } = made;
    await setDays(made, 1);
    const { id } = await create();
    const since = clock.now();
    await endpoints.failing(id, since);
    clock.advance(DAY_MS);
    await endpoints.exhausted(id, since);
    const resumed = await on('POST', `/${id}/resume`);
    expect(resumed.body).toMatchObject({ status: 'active', paused_by: null, failing_since: null });
    await endpoints.exhausted(id, since);
    expect((await on('GET', `/${id}`)).body.status).toBe('active');
  });

  test('a report is not an edit: the version that somebody has read stays valid', async () => {
    const { create, endpoints, on } = await world(await open());
    const { id } = await create();
    await endpoints.failing(id, 1_000);
    const got = await on('PATCH', `/${id}`, { name: 'x' }, { 'if-match': '"1"' });
    expect([got.status, got.body.failing_since]).toEqual([200, '1970-01-01T00:00:01.000Z']);
  });

  test('attempts are counted by cause and by time, and add up', async () => {
    const { create, on, db, clock } = await world(await open());
    const { id } = await create();
    const minute = Math.floor(clock.now() / 60_000);
    const row = (back: number, code: string, attempts: number, duration_ms: number, slowest_ms: number) => ({
      endpoint_id: id,
      minute: minute - back,
      code,
      attempts,
      duration_ms,
      slowest_ms,
    });
    await db.insert('endpoint_minutes', [
      ...[row(0, 'ok', 10, 1_000, 300), row(0, 'timeout', 2, 20_000, 10_000), row(70, 'ok', 5, 500, 100)],
      ...[row(70, 'http_status', 3, 300, 100), row(2_000, 'timeout', 100, 1, 1)],
      // Three of five failed attempts were retried until they arrived.
      row(70, 'given_up', 2, 0, 0),
    ]);
    const day = (await on('GET', `/${id}/health`)).body;
    expect(day).toMatchObject({
      attempts: 20,
      failed: 5,
      delivered: 15,
      undelivered: 2,
      success_rate: 15 / 17,
      mean_ms: 1_090,
      slowest_ms: 10_000,
      failures: [
        { code: 'http_status', attempts: 3 },
        { code: 'timeout', attempts: 2 },
      ],
    });
    const series = day.series as { at: string; attempts: number; failed: number }[];
    expect(series).toHaveLength(48);
    expect(series.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(20);
    expect(series.at(-1)).toMatchObject({ at: '2026-01-01T00:00:00.000Z', attempts: 12, failed: 2 });
    expect((await on('GET', `/${id}/health?period=hour`)).body).toMatchObject({ attempts: 12 });
    expect((await on('GET', `/${id}/health?period=week`)).body).toMatchObject({ attempts: 120 });
    expect((await on('GET', `/${id}/health?period=year`)).status).toBe(400);
  });

  test('the health of all endpoints comes in one request, with percentiles and what waits', async () => {
    const { create, send, projectId, projectKey, db, clock } = await world(await open());
    const all = async (query = '') =>
      (await send('GET', `/projects/${projectId}/endpoint-health${query}`, { key: projectKey })).body;
    const [older, newer] = [(await create()).id, (await create()).id].sort() as [string, string];
    const minute = Math.floor(clock.now() / 60_000);
    const sums = { minute, attempts: 100, duration_ms: 5_000, slowest_ms: 9_000 };
    await db.insert('endpoint_minutes', [
      { ...sums, endpoint_id: older, code: 'ok', ms_25: 90, ms_250: 9 },
      { ...sums, endpoint_id: 'another', code: 'ok', ms_25: 100, ms_250: 0 },
    ]);
    const waiting = {
      event_id: 'e',
      event_type: 't',
      endpoint_id: older,
      attempts: 0,
      dead: 0,
      created_at: 1,
    };
    const { project_id } = (await db.get<{ project_id: string }>(
      'select project_id from endpoints where id = $1',
      [older],
    ))!;
    const delivery = (id: string, origin: string, state: string) => ({
      ...waiting,
      project_id,
      id,
      origin,
      state,
    });
    await insertDeliveries(db, db, [
      ...[
        delivery('1', 'live', 'pending'),
        delivery('2', 'replay', 'pending'),
        delivery('3', 'live', 'failed'),
        delivery('4', 'live', 'waiting'),
        { ...delivery('5', 'replay', 'leased'), due_at: 1 },
        { ...delivery('6', 'live', 'leased'), due_at: 1, endpoint_id: 'another' },
      ],
    ]);
    const body = await all();
    expect(body).toMatchObject({
      items: [
        { endpoint_id: newer, attempts: 0, pending: 0, p95_ms: null },
        {
          endpoint_id: older,
          attempts: 100,
          pending: 4,
          bucket_seconds: 60,
          p50_ms: (25 * 50) / 90,
          p99_ms: 250,
          slowest_ms: 9_000,
        },
      ],
      next: null,
    });
    const first = await all('?limit=1&period=day');
    const second = await all(`?limit=1&period=day&cursor=${first.next as string}`);
    expect([first, second]).toMatchObject([
      { items: [{ endpoint_id: newer }] },
      { items: [{ endpoint_id: older, attempts: 100 }], next: null },
    ]);
  });

  test('an endpoint without attempts has no rates', async () => {
    const { create, on } = await world(await open());
    const { id } = await create();
    const { body } = await on('GET', `/${id}/health`);
    expect(body).toMatchObject({
      attempts: 0,
      success_rate: null,
      mean_ms: null,
      slowest_ms: null,
      failures: [],
    });
  });
});
