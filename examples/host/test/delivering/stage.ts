/** A project with channels and endpoints, and a scheduler on a manual clock, for tests of deliveries. */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { newDelivery, type Transport } from 'headgate/delivery';
import { createManualClock, type ManualClock } from 'headgate/testing';
import { createApp } from '../../src/api/app.js';
import type { Scope } from '../../src/api/route.js';
import { createDelivering } from '../../src/delivering/delivering.js';
import type { SelectEvents } from '../../src/delivering/replays/selection.js';
import type { SignedTarget } from '../../src/delivering/signers.js';
import type { Database, Transaction } from '../../src/db/index.js';
import { searchHere } from '../../src/events/search.js';
import { exchanges } from '../exchanges.js';
import { createSelect } from '../../src/events/selecting.js';
import { createComparedEvents } from '../../src/rules/comparisons/compared-events.js';
import { factsOf } from '../../src/stored/facts.js';
import { createEventIds, newId } from '../../src/ids.js';
import { postingRows } from '../../src/stored/postings.js';

/** An endpoint as tests change it. */
export type TestEndpoint = { -readonly [Key in keyof SignedTarget]: SignedTarget[Key] } & {
  readonly id: string;
  status: 'active' | 'paused';
  /** Left out: every topic. */
  topics?: readonly string[];
};

export interface Stage {
  /** The test's database, tracked: see {@link Stage.pass}. */
  readonly db: Database;
  readonly clock: ManualClock;
  /** Moves the clock on from timer to timer, and at each waits until the database has answered everything. */
  pass(ms: number): Promise<void>;
  readonly project: string;
  readonly channel: string;
  readonly endpoints: Map<string, TestEndpoint>;
  addEndpoint(settings?: Partial<TestEndpoint>): Promise<TestEndpoint>;
  /** Stores a decided event and its deliveries, as deciding does. */
  addEvent(to: readonly string[], settings?: Partial<TestEvent>): Promise<TestEvent>;
}

export interface TestEvent {
  readonly id: string;
  readonly type: string;
  readonly status: 'processed' | 'dropped' | 'received';
  readonly tags: readonly string[];
  readonly data: object;
  readonly projected: object | null;
  /** The endpoints that rules named; null if none did. */
  readonly named: readonly string[] | null;
}

export const SECRET = 'whsec_test';
export const secretsOf = (): Promise<readonly string[]> => Promise.resolve(SECRETS);
const SECRETS = [SECRET];

export async function setStage(untracked: Database, clock = createManualClock()): Promise<Stage> {
  const { db, answered } = tracked(untracked);
  const eventIds = createEventIds();
  const [project, channel] = [newId(clock.now()), newId(clock.now())];
  const times = { created_at: clock.now(), updated_at: clock.now() };
  await db.insert('projects', [
    {
      ...{ id: project, name: 'P', plan: 'pro', retention_days: 30, auto_pause_days: null },
      ...{ rules_version: 0, log_position: 0, ...times },
    },
  ]);
  await db.insert('channels', [
    {
      ...{ id: channel, project_id: project, name: 'C', address: randomUUID(), source: 'none' },
      ...{ source_settings: null, requires_key: 0, rejected: 0, rejected_at: null, version: 1, ...times },
    },
  ]);
  const endpoints = new Map<string, TestEndpoint>();
  return {
    ...{ db, clock, project, channel, endpoints },
    async pass(ms) {
      const until = clock.now() + ms;
      await clock.advance(0);
      await answered();
      while (clock.now() < until) {
        await clock.advanceTo(Math.min(clock.nextWakeAt ?? until, until));
        await answered();
      }
    },
    async addEndpoint(settings = {}) {
      const id = randomUUID();
      const url = `https://${id}.example.com/hooks?key=secret`;
      const policy = { retry_max_attempts: 3, retry_backoff_base_seconds: 60 };
      const endpoint: TestEndpoint = {
        ...{ id, url, status: 'active', signature: 'svc', headers: null, secrets: null },
        ...policy,
        ...settings,
      };
      endpoints.set(id, endpoint);
      await db.insert('endpoints', [
        {
          ...{ id, project_id: project, name: 'E', url, status: endpoint.status, paused_by: null },
          ...{
            ...policy,
            retry_after: 'honor',
            rate_limit_per_second: null,
            failing_since: null,
            version: 1,
            ...times,
          },
        },
      ]);
      return endpoint;
    },
    async addEvent(to, settings = {}) {
      const at = clock.now();
      const event: TestEvent = {
        ...{ id: eventIds(at), type: 'webhook.received', status: 'processed', tags: [] },
        ...{ data: { body: { n: 1 } }, projected: null, named: null, ...settings },
      };
      await db.transaction((tx) => writeEvent(tx, { project, channel, at }, event, to));
      return event;
    },
  };
}

/** Counts the calls that the database has not answered. */
function tracked(db: Database): { readonly db: Database; readonly answered: () => Promise<void> } {
  let open = 0;
  const track =
    <Args extends readonly unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      open++;
      try {
        return await call(...args);
      } finally {
        open--;
      }
    };
  const { store } = db;
  const { all, get, run, insert } = db;
  const methods = { all: track(all), get: track(get), run: track(run), insert: track(insert) };
  return {
    db: {
      ...db,
      ...(methods as unknown as Pick<Database, 'all' | 'get' | 'run' | 'insert'>),
      transaction: track((work: never) => db.transaction(work)) as unknown as Database['transaction'],
      store: { ...store, claim: track((request) => store.claim(request)) },
    },
    async answered() {
      for (let quiet = 0; quiet < 8; quiet = open === 0 ? quiet + 1 : 0) await nextTurn();
    },
  };
}

async function writeEvent(
  tx: Transaction,
  { project, channel, at }: { project: string; channel: string; at: number },
  event: TestEvent,
  to: readonly string[],
): Promise<void> {
  const { id, type, status, tags, data, projected, named } = event;
  const head =
    status === 'processed'
      ? await tx.get<{ log_position: number }>(
          'update projects set log_position = log_position + 1 where id = $1 returning log_position',
          [project],
        )
      : undefined;
  await tx.insert('events', [
    {
      ...{ id, project_id: project, channel_id: channel, type, status, received_at: at },
      ...{ decide_at: status === 'received' ? at : null, decide_failures: 0 },
      ...{ decided_at: status === 'received' ? null : at, rules_version: 0, dropped_by: null },
      tags: JSON.stringify(tags),
      decision: JSON.stringify({ matched: [], matchedCount: 0, endpoint_ids: named, limits: [] }),
      log_position: head?.log_position ?? null,
    },
  ]);
  await tx.insert('event_payloads', [
    {
      ...{ event_id: id, channel_name: 'C', data: JSON.stringify(data), raw_payload: '{}' },
      projected: projected === null ? null : JSON.stringify(projected),
    },
  ]);
  const facts = factsOf({
    status: status === 'dropped' ? 'dropped' : 'processed',
    ...{ type, topic: type, channel, tags, rules: [], endpoints: to },
  });
  await tx.insert('event_postings', postingRows([{ project, id, facts }]));
  if (head !== undefined) {
    await tx.insert('event_log', [
      {
        ...{ project_id: project, position: head.log_position, event_id: id },
        ...{ origin: 'live', replay_id: null },
      },
    ]);
  }
  const columns = { project_id: project, channel_id: channel };
  const deliveries = to.map((endpoint) => newDelivery({ id, type }, endpoint, { at, columns }));
  if (deliveries.length === 0) return;
  await tx.deliveries.enqueue([{ body: new TextEncoder().encode(JSON.stringify({ id })), deliveries }]);
}

/** Targets of a stage; reports about their health are kept in `told`. */
export function targetsOf(stage: Stage) {
  const told: string[] = [];
  const tell =
    (sign: string) =>
    (id: string, since: number): Promise<void> => {
      told.push(sign);
      const endpoint = stage.endpoints.get(id);
      if (endpoint === undefined) return Promise.resolve();
      if (sign === 'failing') endpoint.failing_since ??= since;
      if (sign === 'recovered') endpoint.failing_since = null;
      return Promise.resolve();
    };
  return {
    told,
    target: (id: string) => Promise.resolve(stage.endpoints.get(id) ?? null),
    subscribers: () => Promise.resolve([...stage.endpoints.values()]),
    named: (_: string, ids: readonly string[]) =>
      Promise.resolve(
        [...stage.endpoints.values()].filter(({ id }) => ids.some((one) => one.toLowerCase() === id)),
      ),
    failing: tell('failing'),
    recovered: tell('recovered'),
    exhausted: tell('exhausted'),
  };
}

/** A transport that answers at once by `status`; 0 is a refused connection. */
export const answering = (status: (url: string) => number): Transport => ({
  send: ({ url }) => {
    const answer = status(url);
    if (answer >= 200 && answer < 300) return Promise.resolve({ ok: true, status: answer });
    if (answer > 0) {
      return Promise.resolve({
        ok: false,
        failure: 'http_status',
        status: answer,
        transient: true,
        detail: `${answer}`,
      });
    }
    return Promise.resolve({
      ok: false,
      failure: 'connection_refused',
      transient: true,
      detail: 'nothing listens',
    });
  },
  close: () => Promise.resolve(),
});

/** The decision of a replay by the rules of today. */
export const AGAIN = {
  ...{
    outcome: 'deliver' as 'deliver' | 'drop',
    droppedBy: null,
    matched: [],
    matchedCount: 0,
    tags: ['anew'],
  },
  ...{
    endpointIds: null as readonly string[] | null,
    limits: [],
    projected: '{"body":"anew"}',
    rulesVersion: 7,
  },
};

export interface Answered {
  readonly status: number;
  readonly body: Body;
}

/** The members of answers that tests read. */
export interface Body extends Record<string, unknown> {
  readonly id: string;
  readonly items: readonly { readonly id: string }[];
  readonly next: string | null;
  readonly count: number;
  readonly next_attempt_at: string;
  readonly history: readonly object[];
  readonly redelivery: { readonly id: string };
  readonly replay: { readonly id: string };
  readonly position: number;
  readonly discarded: number;
  readonly skipped: readonly object[];
}

/** Deliveries with their routes, called as over HTTP. */
export function mountDelivering(
  stage: Stage,
  options: {
    transport?: Transport;
    again?: typeof AGAIN;
    decide?: (project: string, event: string) => Promise<typeof AGAIN>;
    select?: SelectEvents;
    replaysPerSecond?: number;
  } = {},
) {
  const { db, clock, project } = stage;
  const search = searchHere(db, () => clock.now());
  const reports: unknown[] = [];
  const delivering = createDelivering({
    ...{ db, clock, endpoints: targetsOf(stage), secretsOf, exchanges },
    transport: options.transport ?? answering(() => 200),
    again: options.decide ?? (() => Promise.resolve(options.again ?? AGAIN)),
    select: options.select ?? createSelect({ db, search, maxScanned: 2_000 }),
    comparisons: createComparedEvents(db, () => clock.now()),
    ...(options.replaysPerSecond !== undefined && { replaysPerSecond: options.replaysPerSecond }),
    report: (error) => void reports.push(error),
  });
  const app = createApp({
    routes: delivering.routes,
    authenticate: (headers) =>
      Promise.resolve({
        project: headers.get('x-project') ?? project,
        scopes: new Set<Scope>(['manage', 'read']),
        actor: 'key:test',
        isSession: false,
      }),
    served: ({ error }) => void (error === undefined || reports.push(error)),
    now: () => clock.now(),
    isStopping: () => false,
    projectExists: () => Promise.resolve(true),
  });
  const call = async (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answered> => {
    const response = await app.request(`http://host${path.replace('{project}', project)}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text) as Body };
  };
  return { ...delivering, call, reports };
}
