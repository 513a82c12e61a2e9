/** How events stand, in one word: the pure function against a model, and lists by it against another. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { findEvents } from '../../src/events/finding.js';
import { queryOf } from '../../src/events/filter.js';
import { outcomeOf, type Sent } from '../../src/events/outcome.js';
import { type EventPage, type Outcome, OUTCOMES } from '../../src/events/routes.js';
import { SELECT_SENT } from '../../src/events/statements.js';
import { firstEventIdAt, newId } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { insertDeliveries, type TestDelivery } from '../db/library-rows.js';
import { hostOn, receiver } from '../world.js';
import { mountEvents } from './app.js';
import { clear, storeAll, type StoredEvent, storeProject } from './stored.js';

const STATES = ['pending', 'leased', 'waiting', 'delivered', 'failed'] as const;
const ENDPOINTS = [newId(5), newId(6), newId(7)] as const;
const [A, B, C] = ENDPOINTS;
const FIRST_AT = 1_700_000_000_000;

const sent = (endpoint_id: string, state: (typeof STATES)[number], attempts = 0): Sent => ({
  ...{ endpoint_id, state, attempts },
});

const deliveries = (): fc.Arbitrary<Sent[]> =>
  fc.array(
    fc.record({
      endpoint_id: fc.constantFrom(...ENDPOINTS),
      state: fc.constantFrom(...STATES),
      attempts: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 8 },
  );

const statuses = fc.constantFrom('received', 'processed', 'dropped');

/** The definition of right: each endpoint is looked for by itself. */
function modelOf(status: StoredEvent['status'], newestFirst: readonly Sent[]): Outcome {
  if (status === 'received') return 'not_decided';
  const stands: string[] = [];
  for (const endpoint of ENDPOINTS) {
    const latest = newestFirst.find(({ endpoint_id }) => endpoint_id === endpoint);
    if (latest === undefined) continue;
    if (latest.state === 'failed' || latest.state === 'delivered') stands.push(latest.state);
    else stands.push(latest.attempts === 0 ? 'fresh' : 'again');
  }
  if (stands.includes('failed')) return 'failing';
  if (stands.includes('again')) return 'retrying';
  if (stands.includes('fresh')) return 'delivering';
  if (stands.includes('delivered')) return 'delivered';
  return status === 'dropped' ? 'dropped' : 'no_endpoint';
}

describe('the outcome of an event', () => {
  test.for([
    { why: 'undecided', status: 'received', newest: [], outcome: 'not_decided' },
    { why: 'dropped by a rule', status: 'dropped', newest: [], outcome: 'dropped' },
    {
      why: 'dropped, then replayed',
      status: 'dropped',
      newest: [sent(A, 'delivered', 1)],
      outcome: 'delivered',
    },
    { why: 'routed to nobody', status: 'processed', newest: [], outcome: 'no_endpoint' },
    { why: 'not attempted yet', status: 'processed', newest: [sent(A, 'pending')], outcome: 'delivering' },
    { why: 'in its first attempt', status: 'processed', newest: [sent(A, 'leased')], outcome: 'delivering' },
    { why: 'held by its order', status: 'processed', newest: [sent(A, 'waiting')], outcome: 'delivering' },
    { why: 'due again', status: 'processed', newest: [sent(A, 'pending', 1)], outcome: 'retrying' },
    {
      why: 'in its second attempt',
      status: 'processed',
      newest: [sent(A, 'leased', 1)],
      outcome: 'retrying',
    },
    { why: 'given up', status: 'processed', newest: [sent(A, 'failed', 8)], outcome: 'failing' },
    {
      why: 'without an attempt, as its endpoint is gone',
      status: 'processed',
      newest: [sent(A, 'failed')],
      outcome: 'failing',
    },
    {
      why: 'arrived after a retry',
      status: 'processed',
      newest: [sent(A, 'delivered', 2)],
      outcome: 'delivered',
    },
    {
      why: 'redelivered with success',
      status: 'processed',
      newest: [sent(A, 'delivered', 1), sent(A, 'failed', 8)],
      outcome: 'delivered',
    },
    {
      why: 'redelivered, and on its way',
      status: 'processed',
      newest: [sent(A, 'pending'), sent(A, 'failed', 8)],
      outcome: 'delivering',
    },
    {
      why: 'replayed without success after it had arrived',
      status: 'processed',
      newest: [sent(A, 'failed', 1), sent(A, 'delivered', 1)],
      outcome: 'failing',
    },
    {
      why: 'failing at one of three',
      status: 'processed',
      newest: [sent(A, 'delivered', 1), sent(B, 'failed', 8), sent(C, 'pending', 2)],
      outcome: 'failing',
    },
    {
      why: 'retrying at one of three',
      status: 'processed',
      newest: [sent(A, 'delivered', 1), sent(B, 'pending'), sent(C, 'pending', 2)],
      outcome: 'retrying',
    },
  ] as const)('$why: $outcome', ({ status, newest, outcome }) => {
    expect(outcomeOf(status, newest)).toBe(outcome);
  });

  test('is that of the model', () => {
    fc.assert(
      fc.property(statuses, deliveries(), (status, newest) => {
        expect(outcomeOf(status, newest)).toBe(modelOf(status, newest));
      }),
    );
  });
});

const TAGS = ['urgent', 'large'] as const;

/** An event of the property: its deliveries are newest first. */
interface History {
  readonly status: StoredEvent['status'];
  readonly tags: readonly string[];
  readonly newest: readonly Sent[];
}

const histories = (): fc.Arbitrary<readonly History[]> =>
  fc.array(
    fc
      .record({ status: statuses, tags: fc.subarray([...TAGS]), newest: deliveries() })
      .map((one) => (one.status === 'received' ? { ...one, tags: [], newest: [] } : one)),
    { maxLength: 60, size: 'max' },
  );

const conditions = fc.record(
  {
    status: statuses,
    tag: fc.constantFrom(...TAGS),
    from: fc.integer({ min: FIRST_AT - 1, max: FIRST_AT + 40 }),
  },
  { requiredKeys: [] },
);

const idAt = (i: number): string => `${firstEventIdAt(FIRST_AT + Math.floor(i / 2)).slice(0, -1)}${i % 2}`;

describe.each(databases())('$name', ({ open }) => {
  let db: Database;
  beforeEach(async () => {
    db = await open();
  });

  /** Stores events; returns them as they are asked for. */
  async function stored(project: string, all: readonly History[]) {
    const events = all.map((one, i) => ({ ...one, id: idAt(i) }));
    await clear(db);
    await storeAll(
      db,
      events.map(({ id, status, tags }) => ({
        ...{ id, project, status, tags, type: 'a', channel: null, rules: [], endpoints: [] },
      })),
      3,
    );
    await insertDeliveries(
      db,
      db,
      events.flatMap(({ id, newest }) =>
        newest.toReversed().map((one, i): TestDelivery => ({
          ...{ ...one, id: `${id}:${one.endpoint_id}:${i}`, project_id: project, event_id: id },
          // Two are made at the same time: the one that was added later is the newer one.
          created_at: FIRST_AT + Math.floor(i / 2),
        })),
      ),
    );
    return events;
  }

  async function walk(
    project: string,
    query: Record<string, string>,
    maxScanned: number,
  ): Promise<EventPage['items']> {
    const { app } = mountEvents(db, { maxScanned });
    const items: EventPage['items'] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < 1_000; pages++) {
      const text = new URLSearchParams({
        ...query,
        limit: '3',
        ...(cursor !== null && { cursor }),
      }).toString();
      const response = await app.request(`http://host/projects/${project}/events?${text}`);
      const page = (await response.json()) as EventPage;
      expect([response.status, page.next === null]).toEqual([200, page.scanned_to === null]);
      items.push(...page.items);
      if (page.next === null) return items;
      cursor = page.next;
    }
    throw new Error('the list does not end');
  }

  test(
    'a list by a word has exactly the events whose answer has that word',
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          histories(),
          conditions,
          fc.constantFrom(1, 3, 7, 2_000),
          async (all, others, maxScanned) => {
            const project = await storeProject(db);
            const events = (await stored(project, all)).toReversed();
            const query = Object.fromEntries(
              Object.entries(others).map(([name, value]) => [
                name,
                name === 'from' ? new Date(value).toISOString() : String(value),
              ]),
            );
            const fitting = events.filter(
              ({ id, status, tags }) =>
                (others.status ?? status) === status &&
                (others.tag === undefined || tags.includes(others.tag)) &&
                id >= firstEventIdAt(others.from ?? 0),
            );
            const everything = await walk(project, query, maxScanned);
            expect(everything.map(({ id, outcome }) => [id, outcome])).toEqual(
              fitting.map(({ id, status, newest }) => [id, modelOf(status, newest)]),
            );
            for (const outcome of OUTCOMES) {
              const found = await walk(project, { ...query, outcome }, maxScanned);
              expect([outcome, found]).toEqual([
                outcome,
                everything.filter((item) => item.outcome === outcome),
              ]);
            }
          },
        ),
        { numRuns: 15 },
      );
    },
  );

  test('an event tells the word of its list', async () => {
    await fc.assert(
      fc.asyncProperty(histories(), async (all) => {
        const project = await storeProject(db);
        await stored(project, all);
        const { app } = mountEvents(db);
        for (const { id, outcome } of (await walk(project, {}, 2_000)).slice(0, 20)) {
          const response = await app.request(`http://host/projects/${project}/events/${id}`);
          expect((await response.json()) as object).toMatchObject({ id, outcome });
        }
      }),
      { numRuns: 10 },
    );
  });

  test('a replay selects the same events, oldest first, and each once', async () => {
    await fc.assert(
      fc.asyncProperty(
        histories(),
        fc.constantFrom('failing', 'retrying', 'delivered'),
        async (all, outcome) => {
          const project = await storeProject(db);
          const events = await stored(project, all);
          const search = { ...queryOf({ outcome }), undecided: null, project, first: 'oldest' as const };
          const ids: string[] = [];
          for (let low: string | null = 'evt_'; low !== null;) {
            const range = { low, high: 'evt_~' };
            const found = await findEvents(db, { ...search, range, most: 3, maxScanned: 4 });
            ids.push(...found.ids);
            low = found.ids.length === 3 ? `${found.ids.at(-1) ?? ''}!` : found.bound;
          }
          const right = events.filter(({ status, newest }) => modelOf(status, newest) === outcome);
          expect(ids).toEqual(right.map(({ id }) => id));
        },
      ),
      { numRuns: 12 },
    );
  });

  test('an event that is delivered while the list is read is not shown as failing', async () => {
    const project = await storeProject(db);
    await stored(project, [{ status: 'processed', tags: [], newest: [sent(A, 'failed', 8)] }]);
    const meanwhile: Database = {
      ...db,
      async all(sql, values) {
        const rows = await db.all<never>(sql, values);
        if (sql === SELECT_SENT) await db.run("update {deliveries} set state = 'delivered'");
        return rows;
      },
    };
    const { app } = mountEvents(meanwhile);
    const response = await app.request(`http://host/projects/${project}/events?outcome=failing`);
    expect(((await response.json()) as EventPage).items).toEqual([]);
  });

  test('a page looks up a bounded number of outcomes, and fewer where events have many deliveries', async () => {
    const project = await storeProject(db);
    const many = Array.from({ length: 50 }, () => sent(A, 'delivered', 1));
    await stored(
      project,
      Array.from({ length: 60 }, () => ({ status: 'processed', tags: [], newest: many }) as const),
    );
    const judged: number[] = [];
    const counted: Pick<Database, 'all' | 'get'> = {
      get: (sql, values) => db.get(sql, values),
      all(sql, values = []) {
        if (sql === SELECT_SENT) judged.push((JSON.parse(values[0] as string) as unknown[]).length);
        return db.all(sql, values);
      },
    };
    const asked = { project, range: { low: 'evt_', high: 'evt_~' }, most: 51 };
    const found = await findEvents(counted, {
      ...asked,
      ...queryOf({ outcome: 'delivering' }),
      maxScanned: 20,
    });
    expect(judged).toEqual([5]);
    expect(found).toEqual({ ids: [], bound: idAt(55) });
  });

  test(
    'an event that fails at one of three endpoints, is retried, redelivered and replayed, has one word each time',
    { timeout: 60_000 },
    async () => {
      const world = await hostOn(await open());
      const under = `/projects/${world.project}`;
      const { url } = await world.channel();
      const receivers = [await receiver(), await receiver(503), await receiver(503)] as const;
      const [good, retried, failing] = receivers;
      await world.endpoint(good);
      const again = await world.endpoint(retried, { retry_max_attempts: 2 });
      const { id: dead } = await world.endpoint(failing, { retry_max_attempts: 1 });
      const drop = { path: 'data.body.kind', op: 'eq', value: 'ping' };
      const rule = { name: 'pings', stage: 'deliver', priority: 10, match: drop, action: { type: 'drop' } };
      expect((await world.call('POST', `${under}/rules`, rule)).status).toBe(201);
      const { id } = (await world.send(url, { kind: 'order' })).json as { id: string };
      const { id: dropped } = (await world.send(url, { kind: 'ping' })).json as { id: string };
      const outcome = async (event = id) =>
        (await world.call('GET', `${under}/events/${event}`)).json.outcome as string;
      const listed = async (word: string) =>
        ((await world.call('GET', `${under}/events?outcome=${word}`)).json.items as { id: string }[]).map(
          (one) => one.id,
        );
      const expectWord = async (word: string) => {
        await expect.poll(() => outcome()).toBe(word);
        for (const one of OUTCOMES) {
          expect([one, (await listed(one)).includes(id)]).toEqual([one, one === word]);
        }
      };
      const deliveryTo = async (endpoint: string) =>
        (
          (await world.call('GET', `${under}/deliveries?event=${id}&endpoint=${endpoint}`)).json.items as {
            id: string;
          }[]
        )[0]!.id;
      await expect.poll(() => [good, retried, failing].map(({ got }) => got.length)).toEqual([1, 1, 1]);
      await expectWord('failing');
      await expect.poll(() => outcome(dropped)).toBe('dropped');
      expect(await listed('dropped')).toEqual([dropped]);

      failing.answer = 204;
      await world.call('POST', `${under}/deliveries/${await deliveryTo(dead)}/retry`);
      await expectWord('retrying');

      retried.answer = 204;
      await world.call('POST', `${under}/deliveries/${await deliveryTo(again.id)}/retry`);
      await expectWord('delivered');

      failing.answer = 503;
      await world.call('POST', `${under}/events/${id}/replay`, { endpoint_ids: [dead] });
      await expectWord('failing');

      await world.call('POST', `${under}/events/${dropped}/replay`, { endpoint_ids: [again.id] });
      await expect.poll(() => outcome(dropped)).toBe('delivered');
      expect(await listed('dropped')).toEqual([]);
    },
  );
});
