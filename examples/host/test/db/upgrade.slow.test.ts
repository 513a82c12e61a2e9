/** Databases of earlier versions: everything in them is there after the start, and is sent as before. */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createManualClock } from 'headgate/testing';
import { describe, expect, test } from 'vitest';
import { createEventIds, newId } from '../../src/ids.js';
import { selectDeliveryPage } from '../../src/delivering/statements.js';
import { createRetention } from '../../src/retention/retention.js';
import { cursorFrom } from '../../src/sdk-clients/cursors.js';
import { postingRows } from '../../src/stored/postings.js';
import { hashKey, newKey } from '../../src/secrets/key-format.js';
import { serve, testClock } from '../api/served.js';
import { wrongPositions, storedFacts } from '../deciding/seed.js';
import { mountDelivering, setStage } from '../delivering/stage.js';
import { databases } from './databases.js';
import { makeOldDatabase, type OldDatabase } from './old-database.js';

const NOW = 1_700_000_000_000;
const URL = 'https://e.example/hooks';

interface OldAttempt {
  readonly number: number;
  readonly started_at: number;
  readonly ended_at: number;
  readonly outcome: { readonly ok: boolean; readonly status?: number; readonly failure?: string };
}
const failed = (number: number): OldAttempt => ({
  ...{ number, started_at: NOW - 900 + number, ended_at: NOW - 800 + number },
  outcome: { ok: false, failure: 'http_status', status: 503, ...{ transient: true, detail: 'no "é\\' } },
});
const arrived = (number: number): OldAttempt => ({
  ...{ number, started_at: NOW - 900 + number, ended_at: NOW - 800 + number },
  outcome: { ok: true, status: 204 },
});

/** A delivery as both ledgers had it. */
interface OldDelivery {
  readonly name: string;
  readonly state: 'pending' | 'leased' | 'delivered' | 'failed';
  readonly due_at?: number;
  readonly attempts?: readonly OldAttempt[];
  readonly dead?: boolean;
  readonly origin?: string;
  readonly redelivery_id?: string;
}

const REDELIVERY = newId(NOW);
const DELIVERIES: readonly OldDelivery[] = [
  { name: 'new', state: 'pending', due_at: NOW },
  { name: 'retried', state: 'pending', due_at: NOW + 60_000, attempts: [failed(1)] },
  { name: 'under way', state: 'leased', due_at: NOW + 10_000, attempts: [failed(1)] },
  { name: 'delivered', state: 'delivered', attempts: [failed(1), arrived(2)] },
  { name: 'letter', state: 'failed', attempts: [failed(1), failed(2)], dead: true },
  { name: 'letter to come', state: 'failed', attempts: [failed(1)], dead: true },
  { name: 'discarded', state: 'failed', attempts: [failed(1)] },
  { name: 'redelivered', state: 'pending', due_at: NOW, origin: 'replay', redelivery_id: REDELIVERY },
];

interface Ids {
  readonly project: string;
  readonly channel: string;
  readonly endpoint: string;
}

const eventOf = ({ name }: OldDelivery): string => `evt_${name.replaceAll(' ', '_')}`;
const idOf = (one: OldDelivery, { endpoint }: Ids): string =>
  `${eventOf(one)}:${endpoint}${one.redelivery_id === undefined ? '' : `:${one.redelivery_id}`}`;

async function fill(old: OldDatabase, ids: Ids): Promise<void> {
  const { project, channel, endpoint } = ids;
  const times = { created_at: NOW - 5_000, updated_at: NOW - 5_000 };
  await old.insert('projects', [
    {
      ...{ id: project, name: 'P', plan: 'pro', retention_days: 30, auto_pause_days: null, version: 1 },
      ...{ rules_version: 0, log_position: 0, batch_position: 0, ...times },
    },
  ]);
  await old.insert('endpoints', [
    {
      ...{ id: endpoint, project_id: project, name: 'E', url: URL, status: 'active', version: 1, ...times },
      ...{ retry_max_attempts: 5, retry_backoff_base_seconds: 60, retry_after: 'honor' },
    },
  ]);
  await old.insert(
    'events',
    DELIVERIES.map((one) => ({
      ...{ id: eventOf(one), project_id: project, channel_id: channel, type: 't', status: 'processed' },
      ...{
        received_at: NOW - 5_000,
        decide_failures: 0,
        decided_at: NOW - 5_000,
        rules_version: 0,
        tags: '[]',
      },
      decision: '{"matched":[],"endpoint_ids":null,"limits":[]}',
    })),
  );
  for (const [i, one] of DELIVERIES.entries()) {
    const { state, due_at = null, attempts = [], dead = false, origin = 'live', redelivery_id = null } = one;
    const last = attempts.at(-1);
    const finished_at = due_at === null ? (last?.ended_at ?? NOW) : null;
    const common = {
      ...{
        id: idOf(one, ids),
        event_id: eventOf(one),
        event_type: 't',
        endpoint_id: endpoint,
        origin,
        due_at,
      },
      ...{ attempts: attempts.length, created_at: NOW - 5_000, finished_at },
    };
    const hex = Buffer.from(`{"id":"${eventOf(one)}"}`).toString('hex');
    const bytes = old.dialect === 'sqlite' ? `x'${hex}'` : `'\\x${hex}'`;
    const digest = old.dialect === 'sqlite' ? "x'00'" : "'\\x00'";
    await old.run(`insert into {library}bodies (event_id, digest, created_at, bytes)
      values ('${eventOf(one)}', ${digest}, ${NOW}, ${bytes})`);
    await old.insert('{library}deliveries', [
      {
        ...{ ...common, state, lease: state === 'leased' ? 'of a process that is gone' : null },
        ...{ history: attempts.map((attempt) => `${JSON.stringify(attempt)}\n`).join('') },
        ...{
          dead_letter: (old.dialect === 'sqlite' ? Number(dead) : dead) as number,
          body: i + 1,
          body_bytes: hex.length / 2,
        },
      },
    ]);
    await old.insert('deliveries', [
      {
        ...{ ...common, project_id: project, state: state === 'leased' ? 'pending' : state },
        ...{ failure: last?.outcome.failure ?? null, status_code: last?.outcome.status ?? null },
        ...{ dead: Number(dead), redelivery_id },
      },
    ]);
    for (const { number, started_at, ended_at, outcome } of attempts) {
      const { ok, failure = null, status: status_code = null } = outcome;
      await old.insert('attempts', [
        {
          ...{ delivery_id: common.id, number, url: URL, started_at, ended_at },
          ok: Number(ok),
          failure,
          status_code,
        },
      ]);
    }
  }
}

/** The steps before indexes became fewer. */
const MORE_INDEXES = 18;
/** The steps before there was a portal. */
const NO_PORTAL = 20;

interface EventOfVersion {
  readonly id: string;
  readonly status: 'received' | 'processed' | 'dropped';
  /** The position of its own entry in the log. */
  readonly position: number | null;
}
const newEventId = createEventIds();
const EVENTS: readonly EventOfVersion[] = [
  { id: newEventId(NOW - 4_000), status: 'processed', position: 1 },
  { id: newEventId(NOW - 3_000), status: 'dropped', position: null },
  { id: newEventId(NOW - 2_000), status: 'processed', position: 2 },
  { id: newEventId(NOW - 1_000), status: 'received', position: null },
];

const eventOfVersion = ({ id, status }: EventOfVersion, project: string) => ({
  ...{ id, project_id: project, channel_id: 'c', type: 'webhook.received', topic: 'order.paid', status },
  ...{ received_at: NOW - 1_000, decide_at: status === 'received' ? NOW : null, decide_failures: 3 },
  ...{ decided_at: NOW, rules_version: 7, dropped_by: 'r', tags: '["a"]', decision: '{"matched":[]}' },
});

const STORED = [
  { state: 'pending', due_at: NOW },
  { state: 'leased', due_at: NOW + 10_000, lease: 'of a process that is gone' },
  { state: 'delivered', finished_at: NOW },
  { state: 'failed', finished_at: NOW, dead: true },
] as const;

async function fillWithIndexes(old: OldDatabase, project: string): Promise<void> {
  const times = { created_at: NOW, updated_at: NOW };
  await old.insert('projects', [
    {
      ...{ id: project, name: 'P', plan: 'pro', retention_days: 30, auto_pause_days: null, version: 1 },
      ...{ rules_version: 0, log_position: 3, batch_position: 0, ...times },
    },
  ]);
  await old.insert(
    'events',
    EVENTS.map((event) => eventOfVersion(event, project)),
  );
  const replay = { position: 3, event_id: EVENTS[1]!.id, origin: 'replay', replay_id: 'r' };
  await old.insert('event_log', [
    ...EVENTS.flatMap(({ id, position }) =>
      position === null
        ? []
        : [{ project_id: project, position, event_id: id, origin: 'live', replay_id: null }],
    ),
    { project_id: project, ...replay },
  ]);
  await old.insert(
    'event_postings',
    postingRows(
      EVENTS.filter(({ status }) => status !== 'received').map(({ id, status }) => ({
        ...{ project, id },
        facts: [`status:${status}`, 'type:"webhook.received"', 'topic:"order.paid"', 'channel:c', 'tag:"a"'],
      })),
    ),
  );
  const [hex, dialect] = ['7b7d', old.dialect];
  await old.run(`insert into {library}bodies (event_id, digest, created_at, bytes)
    values ('e', ${dialect === 'sqlite' ? `x'00', 1, x'${hex}'` : `'\\x00', 1, '\\x${hex}'`})`);
  for (const [i, { state, ...others }] of STORED.entries()) {
    const isDead = 'dead' in others;
    const { dead: _, ...columns } = { dead: false, ...others };
    await old.insert('{library}deliveries', [
      {
        ...{ number: i + 1, id: `${EVENTS[0]!.id}:${state}`, event_id: EVENTS[0]!.id, event_type: 't' },
        ...{ endpoint_id: 'e', origin: 'live', state, project_id: project, created_at: NOW, attempts: 0 },
        ...{ due_at: null, finished_at: null, lease: null, ...columns, body: 1, body_bytes: 2 },
        dead_letter: (dialect === 'sqlite' ? Number(isDead) : isDead) as number,
      },
    ]);
  }
}

/** Moves the clock on until the work is done. */
async function settledAfter<Of>(work: Promise<Of>, clock: ReturnType<typeof createManualClock>): Promise<Of> {
  let isDone = false;
  void work.finally(() => (isDone = true));
  while (!isDone) {
    await clock.advance(1_000);
    await nextTurn();
  }
  return work;
}

describe.each(databases())('on $name', ({ create }) => {
  test('every delivery is there with its attempts, and is sent as often as it was to be', async () => {
    const connect = create();
    const ids = { project: newId(NOW), channel: newId(NOW), endpoint: randomUUID() };
    const old = await makeOldDatabase(connect.options, 5);
    await fill(old, ids);
    await old.close();
    const db = await connect();
    const clock = createManualClock(NOW);
    const stage = { ...(await setStage(db, clock)), project: ids.project };
    stage.endpoints.set(ids.endpoint, {
      ...{ id: ids.endpoint, url: URL, status: 'active', signature: 'svc', headers: null, secrets: null },
      ...{ retry_max_attempts: 5, retry_backoff_base_seconds: 60 },
    });
    const sent: string[] = [];
    const served = mountDelivering(stage, {
      transport: {
        send: ({ body }) => {
          sent.push((JSON.parse(Buffer.from(body).toString()) as { id: string }).id);
          return Promise.resolve({ ok: true, status: 200 });
        },
        close: () => Promise.resolve(),
      },
    });
    const get = async (path: string) =>
      (await served.call('GET', `/projects/{project}${path}`)).body as never as {
        readonly items: readonly Record<string, unknown>[];
        readonly history: readonly Record<string, unknown>[];
      } & Record<string, unknown>;

    const listed = (await get('/deliveries')).items;
    expect(listed.map(({ id }) => id).toSorted()).toEqual(DELIVERIES.map((one) => idOf(one, ids)).toSorted());
    for (const one of DELIVERIES) {
      const attempts = one.attempts ?? [];
      const shown = await get(`/deliveries/${idOf(one, ids)}`);
      expect(shown, one.name).toMatchObject({
        ...{ event_id: eventOf(one), endpoint_id: ids.endpoint, origin: one.origin ?? 'live' },
        ...{ state: one.state === 'leased' ? 'pending' : one.state, attempts: attempts.length },
        ...{ is_dead_letter: one.dead === true, redelivery_id: one.redelivery_id ?? null },
        failure: attempts.at(-1)?.outcome.failure ?? null,
      });
      expect(shown.history, one.name).toMatchObject(
        attempts.map(({ number, outcome: { ok, status = null } }) => ({
          number,
          url: URL,
          ok,
          status_code: status,
        })),
      );
    }
    const letters = async () => (await get('/dead-letters')).items.map(({ id }) => id).toSorted();
    const dead = DELIVERIES.filter((one) => one.dead === true).map((one) => idOf(one, ids));
    expect(await letters()).toEqual(dead.toSorted());

    served.start();
    await stage.pass(5_000);
    expect(sent.toSorted()).toEqual(['evt_new', 'evt_redelivered']);
    await stage.pass(10_000);
    expect(sent.toSorted()).toEqual(['evt_new', 'evt_redelivered', 'evt_under_way']);
    await stage.pass(120_000);
    expect(sent.toSorted()).toEqual(['evt_new', 'evt_redelivered', 'evt_retried', 'evt_under_way']);
    const { status } = await served.call('POST', `/projects/{project}/deliveries/${dead[0]!}/retry`);
    expect(status).toBe(202);
    await stage.pass(5_000);
    expect(sent.filter((id) => id === 'evt_letter')).toHaveLength(1);
    expect(await letters()).toEqual(dead.slice(1));
    await stage.pass(3_600_000);
    expect(sent).toHaveLength(5);
    await served.stop(AbortSignal.abort());
    expect(served.reports).toEqual([]);
    expect(
      await db.all(`select id from {deliveries} as d
      where attempts <> (select count(*) from {attempts} as a where a.delivery = d.number)`),
    ).toEqual([]);
  });

  test('events keep their positions in the log, and deliveries their states, when indexes become fewer', async () => {
    const connect = create();
    const project = newId(NOW);
    const old = await makeOldDatabase(connect.options, MORE_INDEXES);
    await fillWithIndexes(old, project);
    await old.close();
    const db = await connect();
    const placed = await db.all<Record<string, unknown>>('select * from events order by id');
    expect(placed.map((row) => ({ ...row }))).toEqual(
      EVENTS.map((event) => ({ ...eventOfVersion(event, project), log_position: event.position })),
    );
    expect(await wrongPositions(db)).toEqual([]);
    // The second event was dropped and replayed, and the last one is not decided.
    const cursors = await Promise.all(EVENTS.map(({ id }) => cursorFrom(db, project, id)));
    expect(cursors).toEqual([0, 1, 1, 3]);

    const listed = await db.all<{ id: string; state: string }>(
      selectDeliveryPage({ by: 'project', state: null, origin: null }),
      [project, 9, Number.MAX_SAFE_INTEGER, 0, 0],
    );
    expect(listed.map(({ id }) => id).sort()).toEqual(
      STORED.map(({ state }) => `${EVENTS[0]!.id}:${state}`).sort(),
    );
    const request = { limit: 9, perEndpoint: 9, inFlight: new Map<string, number>(), until: NOW + 99_000 };
    const claimAt = async (at: number): Promise<readonly string[]> =>
      (await db.store.claim({ ...request, lease: `at ${at}`, at })).claims.map(({ delivery }) => delivery.id);
    expect(await claimAt(NOW)).toEqual([`${EVENTS[0]!.id}:pending`]);
    expect(await claimAt(NOW + 15_000)).toEqual([`${EVENTS[0]!.id}:leased`]);

    const clock = createManualClock(NOW + 61 * 86_400_000);
    const retention = createRetention({ db, clock, report: console.error });
    const swept = retention.sweep();
    await clock.advance(0);
    expect(await settledAfter(swept, clock)).toMatchObject({ events: EVENTS.length });
    for (const table of ['events', 'event_log', 'event_postings', '{deliveries}', '{attempts}']) {
      expect(await db.all(`select * from ${table}`), table).toEqual([]);
    }
  });

  test.each([5, 17, MORE_INDEXES, NO_PORTAL])(
    'a new database has the tables of one of version %s',
    async (version) => {
      const [fresh, upgraded] = [create(), create()];
      const old = await makeOldDatabase(upgraded.options, version);
      await old.close();
      const describeTables = async (db: Awaited<ReturnType<typeof fresh>>): Promise<readonly object[]> => {
        if (db.dialect === 'postgres') {
          const columns = await db.all<object>(`select table_name, column_name, data_type, is_nullable
          from information_schema.columns where table_schema = any (current_schemas(false)) order by 1, 2`);
          // The names of schemas are those of the test.
          const indexes =
            await db.all<object>(`select indexname, regexp_replace(indexdef, ' ON \\S+ ', ' ON ') as def
          from pg_indexes where schemaname = any (current_schemas(false)) order by 1, 2`);
          return [...columns, ...indexes];
        }
        const rows = await db.all<{ name: string; sql: string | null }>(
          "select name, sql from sqlite_schema where name not in ('host_steps', 'headgate_migrations') order by name",
        );
        return rows.map(({ name, sql }) => ({ name, sql: sql?.replaceAll(/\s/g, '') }));
      };
      expect(await describeTables(await upgraded())).toEqual(await describeTables(await fresh()));
    },
  );

  test('sessions and links from before there was a portal go on, and are none of it', async () => {
    const connect = create();
    const old = await makeOldDatabase(connect.options, NO_PORTAL);
    const [project, session, link] = [newId(NOW), newKey('ses'), newKey('once')];
    await old.insert('projects', [
      {
        ...{ id: project, name: 'P', plan: 'pro', retention_days: 30, auto_pause_days: null, version: 1 },
        ...{ rules_version: 0, log_position: 0, batch_position: 0, created_at: NOW, updated_at: NOW },
      },
    ]);
    const common = { project_id: project, expires_at: NOW + 60_000 };
    await old.insert('sessions', [
      { ...common, hash: hashKey(session), key_id: null, scopes: '["read","manage"]', created_at: NOW },
    ]);
    await old.insert('sign_in_links', [{ ...common, hash: hashKey(link), used_at: null }]);
    await old.close();
    const { send } = serve(await connect(), undefined, testClock(NOW));
    const cookie = `__Host-headgate=${session}`;
    const { body } = await send('GET', `/projects/${project}`, { headers: { cookie } });
    expect(body).toMatchObject({ id: project, portal: { name: null, logo_url: null, accent: null } });
    const planted = { cookie: `__Host-headgate-portal=${session}`, 'headgate-portal': '1' };
    expect((await send('GET', '/session', { headers: planted })).status).toBe(401);
    const begun = await send('POST', '/session', { body: { token: link } });
    expect([begun.status, begun.body.portal]).toEqual([201, null]);
  });

  test('a database from before failed deliveries were counted has a true success rate at once', async () => {
    const connect = create();
    const old = await makeOldDatabase(connect.options, 3);
    const [endpoint, minute] = [randomUUID(), 28_000_000];
    await old.insert('endpoints', [
      {
        ...{ id: endpoint, project_id: 'p', name: 'e', url: URL, status: 'active', retry_after: 'honor' },
        ...{ retry_max_attempts: 2, retry_backoff_base_seconds: 1, version: 1, created_at: 1, updated_at: 1 },
      },
    ]);
    const delivery = (state: string, at: number | null, of: object = {}) => ({
      ...{ id: randomUUID(), project_id: 'p', event_id: 'e', event_type: 't', endpoint_id: endpoint },
      ...{ origin: 'live', attempts: 2, dead: 0, created_at: 1, failure: 'timeout' },
      ...{ state, finished_at: at, ...of },
    });
    const at = minute * 60_000;
    await old.insert('deliveries', [
      delivery('failed', at),
      delivery('failed', at + 59_999, { dead: 1 }),
      delivery('failed', at + 60_000),
      delivery('delivered', at, { failure: null }),
      delivery('pending', null),
      delivery('failed', at, { endpoint_id: 'deleted', failure: 'endpoint_gone' }),
    ]);
    const times = { duration_ms: 1, slowest_ms: 1 };
    const latencies = Object.fromEntries(
      [25, 50, 100, 250, 500, 1_000, 2_500, 5_000].map((ms) => [`ms_${ms}`, 0]),
    );
    await old.insert('endpoint_minutes', [
      { endpoint_id: endpoint, minute, code: 'ok', attempts: 1, ...times, ...latencies },
    ]);
    await old.close();
    const db = await connect();
    const counted = await db.all<Record<string, unknown>>(
      'select * from endpoint_minutes order by minute, code',
    );
    expect(
      counted.map(({ endpoint_id, minute, code, attempts }) => [endpoint_id, minute, code, attempts]),
    ).toEqual([
      [endpoint, minute, 'given_up', 2],
      [endpoint, minute, 'ok', 1],
      [endpoint, minute + 1, 'given_up', 1],
    ]);
  });

  test('every event has the facts that it had', async () => {
    const connect = create();
    const project = newId(NOW);
    const newEventId = createEventIds();
    // Some in the same millisecond, some in the same 32 ms, some later.
    const ids = Array.from({ length: 60 }, (_, i) => newEventId(NOW + Math.floor(i / 3) * 20));
    const facts = ids.flatMap((id, i) =>
      ['status:processed', 'type:"a b"', ...(i % 4 === 0 ? ['tag:"x"'] : [])].map((fact) => ({
        project,
        fact,
        id,
      })),
    );
    const old = await makeOldDatabase(connect.options, 5);
    await old.insert(
      'event_facts',
      facts.map(({ fact, id }) => ({ project_id: project, fact, event_id: id })),
    );
    await old.close();
    expect(await storedFacts(await connect())).toEqual(
      facts.toSorted((a, b) => (`${a.fact} ${a.id}` < `${b.fact} ${b.id}` ? -1 : 1)),
    );
  });
});
