/** Event types by the API, and what they do to publishing, on both databases. */
import { createPublisher, PublisherError } from 'headgate/publisher';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEventTypes } from '../../src/event-types/event-types.js';
import { createSchemaPool } from '../../src/event-types/schema-pool.js';
import { newId } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { hostOn, type HostWorld, worldOf } from '../world.js';

const INVOICE = {
  type: 'object',
  properties: { amount: { type: 'integer', minimum: 0 }, id: { type: 'string', pattern: '^in_' } },
  required: ['id', 'amount'],
  additionalProperties: false,
};
const VALID = { id: 'in_1', amount: 5 };

/** Calls below the event types of a project. */
const catalogOf = ({ call, project }: HostWorld) => {
  const base = `/projects/${project}/event-types`;
  return {
    make: (body: unknown) => call('POST', base, body),
    get: (name: string) => call('GET', `${base}/${name}`),
    list: (query = '') => call('GET', `${base}${query}`),
    patch: (name: string, body: unknown, headers = {}) => call('PATCH', `${base}/${name}`, body, { headers }),
    remove: (name: string, headers = {}) => call('DELETE', `${base}/${name}`, undefined, { headers }),
    publish: (type: string, data: unknown, more: object = {}) =>
      call('POST', `/projects/${project}/events`, { type, data, ...more }),
    many: (events: readonly object[]) => call('POST', `/projects/${project}/events/batch`, { events }),
  };
};

describe.each(databases())('$name', ({ open, create }) => {
  test('a type is made, shown, listed by name, changed and deleted, and each edit is in the audit log', async () => {
    const host = await hostOn(await open());
    const { make, get, list, patch, remove } = catalogOf(host);
    const listed = async (query: string) =>
      (await list(query)).json as {
        readonly items: readonly { readonly name: string }[];
        readonly next: string;
      };
    expect(await listed('')).toEqual({ items: [], next: null });
    const made = await make({ name: 'invoice.paid', description: 'Paid', schema: INVOICE, example: VALID });
    expect(made).toMatchObject({
      status: 201,
      json: {
        ...{ name: 'invoice.paid', description: 'Paid', schema: INVOICE, example: VALID, version: 1 },
        ...{ deprecated: false, strict: false, has_schema: true },
      },
    });
    expect(made.headers.get('etag')).toBe('"1"');
    for (const name of ['user.created', 'account', 'invoice.sent']) await make({ name });
    const first = await listed('?limit=3');
    expect(first.items.map(({ name }) => name)).toEqual(['account', 'invoice.paid', 'invoice.sent']);
    expect(first.items[1]).toEqual(expect.not.objectContaining({ schema: expect.anything() as unknown }));
    expect(await listed(`?limit=3&cursor=${first.next}`)).toMatchObject({
      items: [{ name: 'user.created' }],
      next: null,
    });
    const stale = await patch('invoice.paid', { deprecated: true }, { 'if-match': '"7"' });
    expect(stale).toMatchObject({ status: 412, json: { code: 'version_conflict' } });
    const same = await patch('invoice.paid', { schema: INVOICE, deprecated: false });
    expect(same.json.version).toBe(1);
    const changed = await patch('invoice.paid', { deprecated: true, strict: true }, { 'if-match': '"1"' });
    expect(changed).toMatchObject({
      status: 200,
      json: { deprecated: true, strict: true, version: 2, schema: INVOICE },
    });
    expect((await remove('invoice.paid', { 'if-match': '"1"' })).status).toBe(412);
    expect((await remove('invoice.paid')).status).toBe(204);
    expect((await get('invoice.paid')).status).toBe(404);
    expect((await patch('invoice.paid', {})).status).toBe(404);
    expect((await remove('invoice.paid')).status).toBe(404);
    const audit = (await host.call('GET', `/projects/${host.project}/audit`)).json.items as {
      action: string;
      resource: string;
    }[];
    const ours = audit
      .filter(({ resource }) => resource === 'event_type:invoice.paid')
      .map(({ action }) => action);
    expect(ours).toEqual(['event_type.deleted', 'event_type.updated', 'event_type.created']);
  });

  test('a type that is not valid is refused, and none of it is saved', async () => {
    const host = await hostOn(await open());
    const { make, patch, get, list } = catalogOf(host);
    const deep = JSON.parse(`${'{"not":'.repeat(70)}{}${'}'.repeat(70)}`) as object;
    for (const [body, status, pointer] of [
      [{ name: 'webhook.received' }, 400, '/name'],
      [{ name: 'a..b' }, 400, '/name'],
      [{ name: 'a', schema: true }, 400, '/schema'],
      [{ name: 'a', description: 'x\u0000' }, 400, '/description'],
      [{ name: 'a', strict: true }, 422, '/schema'],
      [{ name: 'a', schema: { type: 'strnig' } }, 422, '/schema/type'],
      [
        { name: 'a', schema: { properties: { n: { pattern: '(?=a)' } } } },
        422,
        '/schema/properties/n/pattern',
      ],
      [{ name: 'a', schema: { title: 'x'.repeat(65_537) } }, 422, '/schema'],
      [{ name: 'a', example: { text: 'x'.repeat(65_537) } }, 422, '/example'],
      [{ name: 'a', schema: deep }, 422, '/schema'],
      [{ name: 'a', schema: INVOICE, example: { id: 'in_1' } }, 422, '/example/amount'],
    ] as const) {
      const { status: got, json } = await make(body);
      expect([got, json.issues[0].pointer], JSON.stringify(body).slice(0, 80)).toEqual([status, pointer]);
    }
    expect((await list()).json.items).toEqual([]);
    await make({ name: 'a', schema: INVOICE, example: VALID });
    expect((await make({ name: 'a' })).json).toMatchObject({ status: 409, code: 'conflict' });
    const other = await patch('a', { schema: { required: ['other'] }, description: 'new' });
    expect(other.json).toMatchObject({ code: 'invalid_document', issues: [{ pointer: '/example/other' }] });
    expect((await patch('a', { strict: true, schema: null })).json.issues[0].pointer).toBe('/schema');
    expect((await get('a')).json).toMatchObject({ description: null, schema: INVOICE, version: 1 });
  });

  test('texts that databases do not take are kept', async () => {
    const { make, get, publish } = catalogOf(await hostOn(await open()));
    const odd = '\u0000 \ud800 \u{1F600}';
    const name = '\u0000 \u{1F600}';
    const schema = { properties: { [name]: { const: odd } }, required: [name] };
    await make({ name: 'odd', schema, example: { [name]: odd, [odd]: 1 }, strict: true });
    expect((await get('odd')).json).toMatchObject({ schema, example: { [name]: odd, [odd]: 1 } });
    expect((await publish('odd', { [name]: odd })).status).toBe(202);
    expect((await publish('odd', { [name]: 'x' })).json).toMatchObject({
      status: 422,
      issues: [{ code: 'invalid_value' }],
    });
  });

  test('only a strict type refuses events, from the next event on, each event of a batch on its own', async () => {
    const host = await hostOn(await open());
    const { make, patch, publish, many, remove } = catalogOf(host);
    expect((await publish('invoice.paid', {})).status).toBe(202);
    await make({ name: 'invoice.paid', schema: INVOICE, deprecated: true });
    expect((await publish('invoice.paid', {})).status).toBe(202);
    await patch('invoice.paid', { strict: true });
    expect((await publish('invoice.paid', VALID)).status).toBe(202);
    expect((await publish('invoice.sent', {})).status).toBe(202);
    const wrong = await publish('invoice.paid', { id: 'x', amount: 'secret', 'a/b': 1 });
    expect(wrong).toMatchObject({ status: 422, json: { code: 'invalid_event' } });
    expect(wrong.text).not.toContain('secret');
    expect(wrong.json.issues).toEqual([
      {
        code: 'unknown_member',
        pointer: '/data/a~1b',
        message: expect.stringContaining('leave it out') as unknown,
      },
      { code: 'invalid_type', pointer: '/data/amount', message: 'must be an integer' },
      { code: 'invalid_value', pointer: '/data/id', message: expect.stringContaining('^in_') as unknown },
    ]);
    const event = { type: 'invoice.paid' };
    const { json } = await many([
      { ...event, data: VALID },
      { ...event, data: {} },
      { type: 'other', data: {} },
    ]);
    expect(json.results).toMatchObject([
      { status: 'received' },
      {
        problem: {
          code: 'invalid_event',
          status: 422,
          issues: [{ pointer: '/data/id' }, { pointer: '/data/amount' }],
        },
      },
      { status: 'received' },
    ]);
    await remove('invoice.paid');
    expect((await publish('invoice.paid', {})).status).toBe(202);
    const stored = (await host.call('GET', `/projects/${host.project}/events?limit=50`)).json
      .items as unknown[];
    await expect
      .poll(
        async () =>
          ((await host.call('GET', `/projects/${host.project}/events?limit=50`)).json.items as unknown[])
            .length,
      )
      .toBe(7);
    expect(stored.length).toBeLessThanOrEqual(7);
  });

  test('a project sees nothing of the types of another', async () => {
    const ours = await hostOn(await open());
    const theirs = await worldOf(ours);
    await catalogOf(ours).make({ name: 'invoice.paid', schema: INVOICE, strict: true });
    const { get, patch, remove, list, publish } = catalogOf(theirs);
    for (const one of [
      get('invoice.paid'),
      patch('invoice.paid', { strict: false }),
      remove('invoice.paid'),
    ]) {
      expect((await one).status).toBe(404);
    }
    expect((await list()).json.items).toEqual([]);
    expect((await publish('invoice.paid', {})).status).toBe(202);
    const stranger = {
      call: (method: string, path: string, body?: unknown) =>
        ours.call(method, path, body, { key: theirs.key }),
    };
    const there = catalogOf({ ...ours, ...stranger });
    expect((await there.get('invoice.paid')).status).toBe(404);
    expect((await there.make({ name: 'b' })).status).toBe(404);
    expect((await catalogOf(ours).publish('invoice.paid', {})).status).toBe(422);
  });

  test('what another process has changed holds here within a second', async () => {
    const connect = create();
    const host = await hostOn(await connect());
    const db = await connect();
    const types = createEventTypes({ db, reads: db, now: Date.now });
    onTestFinished(() => types.stop());
    const isTaken = (): Promise<boolean> =>
      types.assertValid(host.project, 'a', '{}').then(
        () => true,
        () => false,
      );
    expect(await isTaken()).toBe(true);
    await catalogOf(host).make({ name: 'a', schema: INVOICE, strict: true });
    await expect.poll(isTaken).toBe(false);
    await catalogOf(host).remove('a');
    await expect.poll(isTaken).toBe(true);
  });

  test('a publisher is told the issues, and does not repeat the event', async () => {
    const host = await hostOn(await open());
    await catalogOf(host).make({ name: 'invoice.paid', schema: INVOICE, strict: true });
    const { url, project, key } = host;
    const publisher = createPublisher({ url, project, key });
    const error: unknown = await publisher
      .publish({ type: 'invoice.paid', data: { id: 'in_1' } })
      .catch((one: unknown) => one);
    if (!(error instanceof PublisherError)) throw new Error('it was taken');
    const [issue] = error.issues;
    expect([error.code, error.status, issue?.code, issue?.pointer]).toEqual([
      'invalid_event',
      422,
      'missing_member',
      '/data/amount',
    ]);
    expect(issue?.message).toContain('amount');
    const [result] = await publisher.publishMany([{ type: 'invoice.paid', data: {} }]);
    expect(result).toMatchObject({
      ok: false,
      error: { issues: [{ pointer: '/data/id' }, { pointer: '/data/amount' }] },
    });
  });
});

describe('hostile schemas', () => {
  const [sqlite] = databases();

  test('a project has at most a thousand types', async () => {
    const db = await sqlite!.open();
    const host = await hostOn(db);
    const { make, remove } = catalogOf(host);
    const row = {
      project_id: host.project,
      description: null,
      schema: null,
      example: null,
      deprecated: 0,
      strict: 0,
    };
    const rows = Array.from({ length: 1_000 }, (_, i) => ({
      ...row,
      name: `t${i}`,
      version: 1,
      created_at: 1,
      updated_at: 1,
    }));
    await db.insert('event_types', rows);
    expect((await make({ name: 'one.more' })).json).toMatchObject({ status: 409, code: 'conflict' });
    await remove('t7');
    expect((await make({ name: 'one.more' })).status).toBe(201);
  });

  test('a check that takes too much work is told to its sender, and says how to go on', async () => {
    const { make, publish } = catalogOf(await hostOn(await sqlite!.open()));
    const branch = { properties: { a: { $ref: '#' } } };
    expect(
      (await make({ name: 'slow', schema: { type: 'object', anyOf: [branch, branch] }, strict: true }))
        .status,
    ).toBe(201);
    const data = JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`) as object;
    expect((await publish('slow', data)).json).toMatchObject({
      code: 'invalid_event',
      issues: [{ code: 'too_costly', pointer: '/data' }],
    });
    const deep = JSON.parse(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`) as object;
    expect((await publish('slow', deep)).json.issues).toMatchObject([{ code: 'too_deep', pointer: '/data' }]);
    expect((await publish('slow', {})).status).toBe(202);
  });

  test('a thread that is ended is reported as 503, and the next check of another project has an answer', async () => {
    const db = await sqlite!.open();
    let types = createEventTypes({ db, reads: db, now: Date.now, pool: createSchemaPool(1) });
    const [project, neighbour] = [newId(1), newId(2)];
    const oneOf = Array.from({ length: 900 }, (_, i) => ({ required: [`r${i}`] }));
    const row = {
      description: null,
      example: null,
      deprecated: 0,
      strict: 1,
      version: 1,
      created_at: 1,
      updated_at: 1,
    };
    await db.insert('event_types', [
      { ...row, project_id: project, name: 'slow', schema: JSON.stringify({ oneOf }) },
      { ...row, project_id: neighbour, name: 'quick', schema: '{"required":["a"]}' },
    ]);
    await expect(types.assertValid(project, 'slow', '{}')).rejects.toMatchObject({
      code: 'overloaded',
      details: { retryAfter: 1 },
    });
    await types.stop();
    types = createEventTypes({ db, reads: db, now: Date.now });
    const slow = Array.from({ length: 3 }, () =>
      types.assertValid(project, 'slow', '{}').catch(() => 'refused'),
    );
    await expect(types.assertValid(neighbour, 'quick', '{}')).rejects.toMatchObject({
      code: 'invalid_event',
    });
    expect(await Promise.all(slow)).toEqual(slow.map(() => 'refused'));
    await types.stop();
    await expect(types.assertValid(neighbour, 'quick', '{}')).rejects.toMatchObject({ code: 'stopping' });
  });

  test('events of types that are not strict ask the database once a second and no thread', async () => {
    const db = await sqlite!.open();
    const asked: string[] = [];
    const counting = {
      ...db,
      all: ((sql: string, values) => (asked.push(sql), db.all(sql, values))) as typeof db.all,
    };
    let now = 0;
    const pool = { ...createSchemaPool(), run: () => Promise.reject(new Error('a thread was asked')) };
    const types = createEventTypes({ db: counting, reads: db, now: () => now, pool });
    for (let i = 0; i < 100; i++) await types.assertValid('p', `t${i}`, '{}');
    expect(asked).toHaveLength(1);
    now = 1_000;
    await types.assertValid('p', 't', '{}');
    expect(asked).toHaveLength(2);
    await types.stop();
  });
});
