/** Replays of many events: which events go to whom, against a reference that is computed from the API's own lists. */
import fc from 'fast-check';
import type { Transport } from 'headgate/delivery';
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { serveRules } from '../rules/served.js';
import { AGAIN, mountDelivering, setStage, type Stage, type TestEvent } from './stage.js';

const P = '/projects/{project}';
const MAX_ATTEMPTS = 2;
const TYPES = ['webhook.received', 'invoice.paid'];
const TAGS = ['a', 'b'];

/** An event, and what should happen to it at each of three endpoints. */
interface Shape {
  readonly status: TestEvent['status'];
  readonly type: string;
  readonly tags: readonly string[];
  /** Endpoints that get it, and of these, those at which it fails. */
  readonly to: readonly number[];
  readonly fails: readonly number[];
  /** Endpoints that rules named. */
  readonly named: readonly number[] | null;
  readonly n: number;
}

const ENDPOINTS = [0, 1, 2];
const shape: fc.Arbitrary<Shape> = fc
  .record({
    status: fc.constantFrom('processed', 'processed', 'processed', 'dropped', 'received'),
    type: fc.constantFrom(...TYPES),
    tags: fc.subarray(TAGS),
    to: fc.subarray(ENDPOINTS),
    fails: fc.subarray(ENDPOINTS),
    named: fc.option(fc.subarray(ENDPOINTS, { minLength: 1 })),
    n: fc.integer({ min: 0, max: 3 }),
  })
  .map((one) => (one.status === 'processed' ? one : { ...one, to: [] }));

/** The request for a replay; endpoints by their number. */
interface Asked {
  readonly type: string | null;
  readonly tag: string | null;
  readonly least: number | null;
  readonly missed: number | null;
  readonly named: readonly number[] | null;
  readonly rules: 'recorded' | 'again';
  readonly status: 'processed' | 'dropped' | null;
}
const asked: fc.Arbitrary<Asked> = fc.record({
  type: fc.option(fc.constantFrom(...TYPES)),
  tag: fc.option(fc.constantFrom(...TAGS)),
  least: fc.option(fc.integer({ min: 1, max: 3 })),
  missed: fc.option(fc.constantFrom(...ENDPOINTS)),
  named: fc.option(fc.subarray(ENDPOINTS, { minLength: 1 })),
  rules: fc.constantFrom('recorded', 'again'),
  status: fc.option(fc.constantFrom('processed', 'dropped')),
});

interface Delivered {
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly state: string;
  readonly origin: string;
  readonly redelivery_id: string | null;
}

type Served = ReturnType<typeof mountDelivering>;

/** All deliveries, page by page. */
async function deliveriesOf(served: Served, query = ''): Promise<readonly Delivered[]> {
  const found: Delivered[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await served.call('GET', `${P}/deliveries?limit=200${query}${after}`);
    found.push(...(body.items as never as Delivered[]));
    cursor = body.next;
  } while (cursor !== null);
  return found;
}

/** The rules of today: they drop events with the tag a, and route the others to the first endpoint. */
const againOf =
  (events: ReadonlyMap<string, TestEvent>, first: string) =>
  (_: string, id: string): Promise<typeof AGAIN> =>
    Promise.resolve(
      events.get(id)?.tags.includes('a') === true
        ? { ...AGAIN, outcome: 'drop' as const }
        : { ...AGAIN, endpointIds: [first] },
    );

/** The pairs of event and endpoint that a replay is to make. */
function expected(
  events: readonly { readonly event: TestEvent; readonly shape: Shape }[],
  deliveries: readonly Delivered[],
  ids: readonly string[],
  of: Asked,
  stage: Stage,
): string[] {
  const to = of.named?.map((i) => ids[i]!) ?? (of.missed === null ? null : [ids[of.missed]!]);
  const isActive = (id: string): boolean => stage.endpoints.get(id)?.status === 'active';
  const isSubscribed = (id: string, type: string): boolean =>
    stage.endpoints.get(id)?.topics?.includes(type) ?? true;
  const isMissed = (event: TestEvent, endpoint: string): boolean => {
    const own = deliveries.filter((one) => one.event_id === event.id && one.endpoint_id === endpoint);
    if (event.status !== 'processed') return false;
    if (own.length > 0) return own.every(({ state }) => state === 'failed');
    return (event.named?.includes(endpoint) ?? true) && isSubscribed(endpoint, event.type);
  };
  return events
    .filter(
      ({ event, shape: { n } }) =>
        event.status !== 'received' &&
        (of.status === null || event.status === of.status) &&
        (of.type === null || event.type === of.type) &&
        (of.tag === null || event.tags.includes(of.tag)) &&
        (of.least === null || n >= of.least) &&
        (of.missed === null || isMissed(event, ids[of.missed]!)) &&
        (of.rules === 'again' ? !event.tags.includes('a') : event.status === 'processed' || to !== null),
    )
    .flatMap(({ event }) => {
      const live = deliveries.filter((one) => one.event_id === event.id && one.origin === 'live');
      const decided = of.rules === 'again' ? [ids[0]!] : live.map(({ endpoint_id }) => endpoint_id);
      const chosen = to ?? decided.filter((id) => isActive(id) && isSubscribed(id, event.type));
      return chosen.map((endpoint) => `${event.id} ${endpoint}`);
    })
    .sort();
}

const bodyOf = (of: Asked, ids: readonly string[]): object => ({
  filter: {
    ...(of.status !== null && { status: of.status }),
    ...(of.type !== null && { type: of.type }),
    ...(of.tag !== null && { tag: of.tag }),
    ...(of.least !== null && { match: { path: 'data.body.n', op: 'gte', value: of.least } }),
    ...(of.missed !== null && { missed_by: ids[of.missed] }),
  },
  rules: of.rules,
  ...(of.named !== null && { endpoint_ids: of.named.map((i) => ids[i]) }),
});

const isRefused = ({ status, missed, named, rules }: Asked): boolean =>
  status === 'dropped' && (missed !== null || (rules === 'recorded' && named === null));

interface Shown {
  readonly state: string;
  readonly total: number;
  readonly replayed: number;
  readonly skipped: number;
  readonly deliveries: number;
  readonly pending: number;
  readonly delivered: number;
  readonly failed: number;
}

describe.each(databases())('$name', ({ name, open }) => {
  test('exactly the events that meet the filter go to exactly the endpoints that are meant, once, no matter which process runs the batches', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(shape, { minLength: 1, maxLength: 25 }), asked, async (shapes, of) => {
        const stage = await setStage(await open());
        const policy = { retry_max_attempts: MAX_ATTEMPTS };
        const endpoints = [
          await stage.addEndpoint(policy),
          await stage.addEndpoint({ ...policy, topics: ['invoice.paid'] }),
          await stage.addEndpoint(policy),
        ];
        const ids = endpoints.map(({ id }) => id);
        const events: { event: TestEvent; shape: Shape }[] = [];
        const failing = new Set<string>();
        for (const one of shapes) {
          const { status, type, tags, n } = one;
          const event = await stage.addEvent(
            one.to.map((i) => ids[i]!),
            {
              ...{ status, type, tags, data: { body: { n } } },
              named: one.named?.map((i) => ids[i]!) ?? null,
            },
          );
          for (const i of one.fails) failing.add(`${event.id} ${endpoints[i]!.url}`);
          events.push({ event, shape: one });
          await stage.clock.advance(1);
        }
        const known = new Map(events.map(({ event }) => [event.id, event]));
        let isOver = false;
        const transport: Transport = {
          send: ({ url, body }) => {
            const { id } = JSON.parse(new TextDecoder().decode(body)) as { id: string };
            if (isOver || !failing.has(`${id} ${url}`)) return Promise.resolve({ ok: true, status: 200 });
            return Promise.resolve({
              ...{ ok: false, failure: 'http_status', status: 500, transient: true, detail: '' },
            });
          },
          close: () => Promise.resolve(),
        };
        const options = { transport, decide: againOf(known, ids[0]!), replaysPerSecond: 10_000 };
        const before = mountDelivering(stage, options);
        before.start();
        await stage.pass(600_000);
        await before.stop(AbortSignal.abort());
        isOver = true;
        endpoints[2]!.status = 'paused';
        const deliveries = await deliveriesOf(before);
        const pairs = expected(events, deliveries, ids, of, stage);

        const dry = await before.call('POST', `${P}/replays`, { ...bodyOf(of, ids), dry: true });
        if (isRefused(of)) {
          expect(dry.status).toBe(400);
          return;
        }
        const begun = await before.call('POST', `${P}/replays`, bodyOf(of, ids));
        expect(begun).toMatchObject({ status: 202, body: { replay: { state: 'running' } } });
        const { id } = begun.body.replay;
        // Events that come afterwards are not part of it.
        await stage.clock.advance(1);
        await stage.addEvent([ids[0]!], { type: TYPES[0]!, tags: TAGS, data: { body: { n: 3 } } });
        const shown = async (): Promise<Shown> =>
          (await before.call('GET', `${P}/replays/${id}`)).body as never;
        // Each process lives for a batch or two.
        for (let lives = 0; (await shown()).state === 'running' && lives < 200; lives++) {
          const served = mountDelivering(stage, options);
          served.start();
          await stage.pass(lives % 3 === 0 ? 5 : 60);
          await served.stop(AbortSignal.abort());
          expect(served.reports).toEqual([]);
        }
        const last = mountDelivering(stage, options);
        last.start();
        await stage.pass(5_000);
        await last.stop(AbortSignal.abort());
        const made = await deliveriesOf(before, `&redelivery=${id}`);
        expect(made.map((one) => `${one.event_id} ${one.endpoint_id}`).sort()).toEqual(pairs);
        expect(await shown()).toMatchObject({
          ...{ state: 'done', deliveries: pairs.length, delivered: pairs.length, pending: 0, failed: 0 },
        });
        expect(dry.body.deliveries).toSatisfy(
          (count: number | null) =>
            count === null || (of.rules === 'again' ? count >= pairs.length : count === pairs.length),
        );
        const { replayed } = await shown();
        const rows = await stage.db.all('select id from replays where project_id = $1', [stage.project]);
        expect(rows).toHaveLength(replayed);
        if (of.rules === 'recorded') expect(dry.body.events).toBe(replayed);
        const logged = await stage.db.all(`select position from event_log where origin = 'replay'`);
        expect(logged).toHaveLength(of.named === null && of.missed === null ? replayed : 0);
      }),
      { numRuns: name === 'SQLite' ? 15 : 5 },
    );
  });

  test('no more first attempts are under way than half of the slots of an endpoint, and none is left out', async () => {
    const stage = await setStage(await open());
    const { id } = await stage.addEndpoint();
    for (let i = 0; i < 40; i++) await stage.addEvent([]);
    await stage.clock.advance(1);
    const waiting: (() => void)[] = [];
    const transport: Transport = {
      send: () => new Promise((resolve) => waiting.push(() => resolve({ ok: true, status: 200 }))),
      close: () => Promise.resolve(),
    };
    const served = mountDelivering(stage, { transport, replaysPerSecond: 10_000 });
    const begun = await served.call('POST', `${P}/replays`, { filter: {}, endpoint_ids: [id] });
    expect(begun.body).toMatchObject({ events: 40, deliveries: 40, at_least: false });
    served.start();
    let most = 0;
    for (let answered = 0; answered < 40;) {
      await stage.pass(2_000);
      const { pending } = (await served.call('GET', `${P}/replays/${begun.body.replay.id}`))
        .body as never as Shown;
      most = Math.max(most, pending);
      answered += waiting.length;
      for (const answer of waiting.splice(0)) answer();
    }
    expect(most).toBe(16);
    await stage.pass(5_000);
    await served.stop(AbortSignal.abort());
    const shown = (await served.call('GET', `${P}/replays/${begun.body.replay.id}`)).body;
    expect(shown).toMatchObject({ state: 'done', delivered: 40, pending: 0 });
  });

  test('the rate bounds the deliveries of a second, and a stop ends it', async () => {
    const stage = await setStage(await open());
    const { id } = await stage.addEndpoint();
    for (let i = 0; i < 60; i++) await stage.addEvent([]);
    await stage.clock.advance(1);
    const served = mountDelivering(stage, { replaysPerSecond: 5 });
    const begun = await served.call('POST', `${P}/replays`, { filter: {}, endpoint_ids: [id] });
    const path = `${P}/replays/${begun.body.replay.id}`;
    const made = async (): Promise<number> =>
      ((await served.call('GET', path)).body as never as Shown).deliveries;
    served.start();
    await stage.pass(4_000);
    expect(await made()).toBeGreaterThan(10);
    expect(await made()).toBeLessThanOrEqual(5 * 4 + 1);
    expect((await served.call('POST', `${path}/stop`)).body).toMatchObject({ state: 'stopped' });
    const before = await made();
    await stage.pass(10_000);
    expect(await made()).toBe(before);
    await served.stop(AbortSignal.abort());
    expect(served.reports).toEqual([]);
  });

  test('an event that the rules cannot decide is skipped, and holds no other back', async () => {
    const stage = await setStage(await open());
    const { id } = await stage.addEndpoint();
    const events: TestEvent[] = [];
    for (let i = 0; i < 12; i++) events.push(await stage.addEvent([]));
    await stage.clock.advance(1);
    const served = mountDelivering(stage, {
      decide: (_, event) =>
        event === events[5]!.id ? Promise.reject(new Error('hangs')) : Promise.resolve(AGAIN),
      replaysPerSecond: 10_000,
    });
    const body = { filter: {}, rules: 'again', endpoint_ids: [id] };
    const begun = await served.call('POST', `${P}/replays`, body);
    served.start();
    await stage.pass(20_000);
    await served.stop(AbortSignal.abort());
    const shown = (await served.call('GET', `${P}/replays/${begun.body.replay.id}`)).body;
    expect(shown).toMatchObject({ state: 'done', replayed: 11, skipped: 1, scanned: 12 });
  });

  test('groups of a comparison are replayed, and nothing else', async () => {
    const stage = await setStage(await open());
    const { id } = await stage.addEndpoint();
    const dropped: string[] = [];
    for (let i = 0; i < 30; i++) {
      const event = await stage.addEvent([], { status: i % 3 === 0 ? 'dropped' : 'processed' });
      if (i % 3 === 0) dropped.push(event.id);
    }
    await stage.clock.advance(1);
    const { ask } = serveRules(stage.db, stage.project, { now: () => stage.clock.now() });
    const compared = await ask('POST', '/comparisons', { window_hours: 1, rules: [] });
    expect(compared.body).toMatchObject({
      groups: { would_be_delivered: { events: 10 }, same: { events: 20 } },
    });
    const groups = ['would_be_delivered', 'other_tags'];
    const comparison = { id: compared.body.id, groups };
    const served = mountDelivering(stage, { replaysPerSecond: 10_000 });
    const recorded = { comparison: { ...comparison, groups: groups.slice(0, 1) } };
    expect(await served.call('POST', `${P}/replays`, recorded)).toMatchObject({
      status: 400,
      body: { issues: [{ pointer: '/comparison/groups' }] },
    });
    for (const body of [{}, { filter: {}, comparison }]) {
      expect((await served.call('POST', `${P}/replays`, body)).status).toBe(400);
    }
    const stranger = { comparison: { ...comparison, id }, rules: 'again' };
    expect((await served.call('POST', `${P}/replays`, stranger)).status).toBe(404);
    const begun = await served.call('POST', `${P}/replays`, { comparison, rules: 'again' });
    expect(begun.body).toMatchObject({ events: 10, replay: { comparison, filter: {} } });
    served.start();
    await stage.pass(20_000);
    await served.stop(AbortSignal.abort());
    const made = await deliveriesOf(served, `&redelivery=${begun.body.replay.id}`);
    expect(made.map((one) => [one.event_id, one.endpoint_id]).sort()).toEqual(
      dropped.map((one) => [one, id]),
    );
    const shown = (await served.call('GET', `${P}/replays/${begun.body.replay.id}`)).body;
    expect(shown).toMatchObject({ state: 'done', replayed: 10, delivered: 10, comparison });
  });

  test('deliveries of a replay are due one after the other', async () => {
    const stage = await setStage(await open());
    const { id } = await stage.addEndpoint();
    for (let i = 0; i < 12; i++) await stage.addEvent([]);
    await stage.clock.advance(1);
    const served = mountDelivering(stage, { replaysPerSecond: 40 });
    await served.call('POST', `${P}/replays`, { filter: {}, endpoint_ids: [id] });
    served.start();
    await stage.pass(2_000);
    await served.stop(AbortSignal.abort());
    const rows = await stage.db.all<{ at: number }>(
      'select min(started_at) as at from {attempts} group by delivery order by 1',
    );
    expect(rows).toHaveLength(12);
    const gaps = rows.slice(1).map(({ at }, i) => at - rows[i]!.at);
    expect(gaps.every((gap) => gap >= 20)).toBe(true);
  });

  test('an event whose delivery waits for a retry is left to that', async () => {
    const stage = await setStage(await open());
    const { id } = await stage.addEndpoint();
    await stage.addEvent([id]);
    const transport: Transport = {
      send: () =>
        Promise.resolve({
          ...{ ok: false, failure: 'http_status', status: 500, transient: true, detail: '' },
        }),
      close: () => Promise.resolve(),
    };
    const served = mountDelivering(stage, { transport, replaysPerSecond: 10_000 });
    served.start();
    await stage.pass(2_000);
    const skipped = await stage.addEvent([]);
    await stage.clock.advance(1);
    const begun = await served.call('POST', `${P}/replays`, { filter: { missed_by: id } });
    expect(begun.body).toMatchObject({ events: 1, deliveries: 1 });
    // The runner looks for itself every 5 s, should no notification reach it before.
    await stage.pass(10_000);
    await served.stop(AbortSignal.abort());
    const made = await deliveriesOf(served, `&redelivery=${begun.body.replay.id}`);
    expect(made.map(({ event_id }) => event_id)).toEqual([skipped.id]);
  });

  test('two replays at once in two processes send to an endpoint what it missed once', async () => {
    const stage = await setStage(await open());
    const { id } = await stage.addEndpoint();
    for (let i = 0; i < 50; i++) await stage.addEvent([]);
    await stage.clock.advance(1);
    const served = [0, 1].map(() => mountDelivering(stage, { replaysPerSecond: 10_000 }));
    const asked = { filter: { missed_by: id } };
    const begun = await Promise.all(served.map(({ call }) => call('POST', `${P}/replays`, asked)));
    for (const one of served) one.start();
    await stage.pass(20_000);
    for (const one of served) await one.stop(AbortSignal.abort());
    const made = await deliveriesOf(served[0]!);
    expect(made).toHaveLength(50);
    expect(new Set(made.map(({ event_id }) => event_id)).size).toBe(50);
    for (const { body } of begun) {
      const { body: shown } = await served[0]!.call('GET', `${P}/replays/${body.replay.id}`);
      expect(shown).toMatchObject({ state: 'done' });
    }
  });

  test('endpoints of others, filters that select nothing, and too many at once are refused; a repeat begins nothing', async () => {
    const stage = await setStage(await open());
    const { id } = await stage.addEndpoint();
    await stage.addEvent([id]);
    const served = mountDelivering(stage);
    const pointerOf = async (body: object): Promise<unknown> => {
      const answer = await served.call('POST', `${P}/replays`, body);
      return [answer.status, (answer.body.issues as { pointer: string }[] | undefined)?.[0]?.pointer];
    };
    const stranger = '01920000-0000-7000-8000-000000000000';
    expect(await pointerOf({ filter: { missed_by: stranger } })).toEqual([400, '/filter/missed_by']);
    expect(await pointerOf({ filter: {}, endpoint_ids: [stranger] })).toEqual([400, '/endpoint_ids/0']);
    expect(await pointerOf({ filter: { status: 'dropped' } })).toEqual([400, '/filter/status']);
    expect(await pointerOf({ filter: { status: 'received' } })).toEqual([400, '/filter/status']);
    expect(await pointerOf({ filter: { match: { path: 'x', op: 'is' } } })).toEqual([
      422,
      '/filter/match/op',
    ]);
    expect(await pointerOf({})).toEqual([400, '/filter']);
    const key = { 'idempotency-key': 'once' };
    const first = await served.call('POST', `${P}/replays`, { filter: {} }, key);
    expect(await served.call('POST', `${P}/replays`, { filter: {} }, key)).toEqual(first);
    const other = await served.call('POST', `${P}/replays`, { filter: { type: 'x' } }, key);
    expect(other.body.code).toBe('idempotency_conflict');
    for (let i = 1; i < 20; i++) await served.call('POST', `${P}/replays`, { filter: {} });
    expect((await served.call('POST', `${P}/replays`, { filter: {} })).body.code).toBe('conflict');
    expect((await served.call('GET', `${P}/replays?limit=200`)).body.items).toHaveLength(20);
    expect((await served.call('GET', `${P}/replays/${stranger}`)).status).toBe(404);
    const foreign = { 'x-project': stranger };
    expect((await served.call('GET', `${P}/replays`, undefined, foreign)).status).toBeGreaterThanOrEqual(403);
  });
});
