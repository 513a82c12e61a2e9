/** Lists of events against a model: all pages together are the events that match the filter. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import type { EventFilter, EventPage } from '../../src/events/routes.js';
import { firstEventIdAt, newId, timeOfEventId } from '../../src/ids.js';
import { tagFact } from '../../src/stored/facts.js';
import { findEvents } from '../../src/events/finding.js';
import { selectWithFacts } from '../../src/events/statements.js';
import { databases } from '../db/databases.js';
import { mountEvents } from './app.js';
import { clear, decideEvents, storeAll, type StoredEvent, storeEvents, storeProject } from './stored.js';

/** Few values, so that filters meet events. */
const TYPES = ['webhook.received', 'it"s\\a \u{1F600}'];
const CHANNELS = [newId(1), newId(2)];
/** Half of a character cannot be in a query. */
const HALF = '\u0000\ud800';
const TAGS = ['urgent', 'a,b', '"', 'ümläut', HALF];
const RULES = [newId(3), newId(4)];
const ENDPOINTS = [newId(5), newId(6)];
const FIRST_AT = 1_700_000_000_000;

type Shape = Omit<StoredEvent, 'id' | 'project'>;

const shapes = (): fc.Arbitrary<Shape> =>
  fc
    .record({
      status: fc.constantFrom('received', 'processed', 'dropped'),
      type: fc.constantFrom(...TYPES),
      channel: fc.constantFrom(null, ...CHANNELS),
      tags: fc.subarray(TAGS),
      rules: fc.subarray(RULES),
      endpoints: fc.subarray(ENDPOINTS),
    })
    .map((event) => (event.status === 'received' ? { ...event, tags: [], rules: [], endpoints: [] } : event));

const instants = fc.integer({ min: FIRST_AT - 1, max: FIRST_AT + 40 });
const CONDITIONS = {
  status: fc.constantFrom('received', 'processed', 'dropped'),
  type: fc.constantFrom(...TYPES),
  channel: fc.constantFrom(...CHANNELS),
  tag: fc.subarray(
    TAGS.filter((tag) => tag !== HALF),
    { minLength: 1, maxLength: 2 },
  ),
  rule: fc.constantFrom(...RULES),
  endpoint: fc.constantFrom(...ENDPOINTS),
  from: instants,
  to: instants,
} as const;

/** At most three conditions: with more, hardly an event meets them all. */
const filters = (): fc.Arbitrary<EventFilter> =>
  fc
    .subarray(Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[], { maxLength: 3 })
    .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, CONDITIONS[key]]))))
    .map((filter) => filter as EventFilter);

/** Conditions that undecided events may meet, so that two indexes are read. */
const filtersOfTwoIndexes = (): fc.Arbitrary<EventFilter> =>
  filters().map(({ type = 'webhook.received', from, to }) =>
    Object.fromEntries(Object.entries({ type, from, to }).filter(([, value]) => value !== undefined)),
  );

/** The definition of right. */
const fulfils = (event: StoredEvent, filter: EventFilter): boolean =>
  (filter.status === undefined || event.status === filter.status) &&
  (filter.type === undefined || event.type === filter.type) &&
  (filter.channel === undefined || event.channel === filter.channel) &&
  (filter.tag ?? []).every((tag) => event.tags.includes(tag)) &&
  (filter.rule === undefined || event.rules.includes(filter.rule)) &&
  (filter.endpoint === undefined || event.endpoints.includes(filter.endpoint)) &&
  (filter.id === undefined || event.id.startsWith(filter.id)) &&
  (filter.from === undefined || timeOfEventId(event.id) >= filter.from) &&
  (filter.to === undefined || timeOfEventId(event.id) < filter.to);

const idAt = (i: number): string => `${firstEventIdAt(FIRST_AT + Math.floor(i / 2)).slice(0, -1)}${i % 2}`;

/** Deals shapes out to projects, each event with an id of its own. */
const dealt = (shapesOfAll: readonly Shape[], projects: readonly string[]): StoredEvent[] =>
  shapesOfAll.map((shape, i) => ({ ...shape, id: idAt(i), project: projects[i % projects.length]! }));

const newestFirst = (events: readonly StoredEvent[]): string[] =>
  events
    .map(({ id }) => id)
    .sort()
    .reverse();

const queryText = ({ from, to, tag = [], ...rest }: EventFilter, more: Record<string, string>): string => {
  const query = new URLSearchParams({ ...(rest as Record<string, string>), ...more });
  for (const one of tag) query.append('tag', one);
  if (from !== undefined) query.set('from', new Date(from).toISOString());
  if (to !== undefined) query.set('to', new Date(to).toISOString());
  return query.toString();
};

describe.each(databases())('$name', ({ open }) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });

  const appOf = (maxScanned: number, on: Database = db) => mountEvents(on, { maxScanned }).app;

  const pageOf = async (
    app: ReturnType<typeof appOf>,
    project: string,
    filter: EventFilter,
    more: Record<string, string>,
  ): Promise<EventPage> => {
    const response = await app.request(`http://host/projects/${project}/events?${queryText(filter, more)}`);
    const body = (await response.json()) as EventPage;
    expect({ status: response.status, body }).toMatchObject({ status: 200 });
    return body;
  };

  /** The database, where something else happens before each statement. */
  const interrupted = (between: () => Promise<void>): Database => ({
    ...db,
    all: async (sql, values) => {
      await between();
      return db.all(sql, values);
    },
    get: async (sql, values) => {
      await between();
      return db.get(sql, values);
    },
  });

  /** Ids of all pages, page by page; `between` runs before each statement. */
  const walk = async (
    project: string,
    filter: EventFilter,
    { limit, maxScanned }: { readonly limit: number; readonly maxScanned: number },
    between: (() => Promise<void>) | null = null,
  ): Promise<string[]> => {
    const app = between === null ? appOf(maxScanned) : appOf(maxScanned, interrupted(between));
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let pages = 0; ; pages++) {
      const more = { limit: `${limit}`, ...(cursor === null ? {} : { cursor }) };
      const page: EventPage = await pageOf(app, project, filter, more);
      expect(page.items.length).toBeLessThanOrEqual(limit);
      expect(page.next === null).toBe(page.scanned_to === null);
      seen.push(...page.items.map(({ id }) => id));
      if (page.next === null) return seen;
      expect(pages).toBeLessThan(1_000);
      cursor = page.next;
    }
  };

  const sizes = fc.record({
    limit: fc.integer({ min: 1, max: 8 }),
    maxScanned: fc.constantFrom(1, 2, 3, 7, 2_000),
  });

  test('all pages together are the events that match the filter, of that project alone, each once, newest first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(shapes(), { maxLength: 80, size: 'max' }),
        fc.array(fc.tuple(filters(), sizes), { minLength: 1, maxLength: 6 }),
        async (all, asked) => {
          const projects = [await storeProject(db), await storeProject(db)];
          const events = dealt(all, projects);
          await clear(db);
          await storeAll(db, events, 3);
          for (const [filter, size] of asked) {
            for (const project of projects) {
              const ofProject = events.filter((event) => event.project === project);
              const right = ofProject.filter((event) => fulfils(event, filter));
              expect(await walk(project, filter, size)).toEqual(newestFirst(right));
            }
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test('an event that matches the filter all the time is listed once, while events arrive and are decided between any two statements', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(shapes(), { minLength: 1, maxLength: 40, size: 'max' }),
        fc.array(shapes(), { maxLength: 20 }),
        fc.oneof(filters(), filtersOfTwoIndexes()),
        sizes,
        async (all, late, filter, size) => {
          const project = await storeProject(db);
          await clear(db);
          const events = dealt(all, [project]);
          await storeAll(db, events, 3);
          const open = events.filter(({ status }) => status === 'received');
          const newer = dealt([...all, ...late], [project]).slice(all.length);
          const seen = await walk(project, filter, size, async () => {
            const [event] = newer.splice(0, 1);
            if (event !== undefined) await storeAll(db, [event]);
            const [undecided] = open.splice(0, 1);
            if (undecided !== undefined) await decideEvents(db, [{ ...undecided, status: 'dropped' }]);
          });
          const decided = events.map((event) =>
            event.status === 'received' && !open.includes(event)
              ? { ...event, status: 'dropped' as const }
              : event,
          );
          const always = decided.filter((event, i) => fulfils(event, filter) && fulfils(events[i]!, filter));
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen).toEqual([...seen].sort().reverse());
          expect(seen).toEqual(expect.arrayContaining(newestFirst(always)));
          const ever = [...events, ...decided, ...dealt([...all, ...late], [project])];
          const mayBe = ever.filter((event) => fulfils(event, filter));
          expect(newestFirst(mayBe)).toEqual(expect.arrayContaining(seen));
        },
      ),
      { numRuns: 30 },
    );
  });

  // Every condition alone is met by far more events than a page looks at.
  test.for([
    { tags: ['common', 'rare'], found: 4, why: 'the rare condition is read, not the common one' },
    { tags: ['rare', 'common', 'old'], found: 2, why: 'it is read even if another has none of late' },
    { tags: ['old', 'new'], found: 0, why: 'conditions that were never met at one time end at once' },
    { tags: ['common', 'none'], found: 0, why: 'a condition that nothing meets ends at once' },
  ])('one page of ten rows finds all with $tags: $why', async ({ tags, found }) => {
    await clear(db);
    const project = await storeProject(db);
    const events = Array.from({ length: 200 }, (_, i): StoredEvent => {
      const age = i < 100 ? 'old' : 'new';
      const shape = { status: 'processed', type: 'a', channel: null, rules: [], endpoints: [] } as const;
      return {
        ...shape,
        id: idAt(age === 'old' ? i : i + 100),
        project,
        tags: ['common', age, ...(i % 50 === 3 ? ['rare'] : [])],
      };
    });
    await storeAll(db, events, 3);
    const app = appOf(10 * (tags.length - 1));
    const page = await pageOf(app, project, { tag: tags }, { limit: '8' });
    expect([page.items.length, page.next]).toEqual([found, null]);
  });

  test('a page looks up only as many events as it may, however many share a row', async () => {
    await clear(db);
    const project = await storeProject(db);
    const shape = { status: 'processed', type: 'a', channel: null, rules: [], endpoints: [] } as const;
    const tagsOf = (i: number): readonly string[] => (i % 2 === 0 ? ['even'] : ['odd']);
    await storeAll(
      db,
      Array.from({ length: 200 }, (_, i) => ({ ...shape, id: idAt(i), project, tags: tagsOf(i) })),
      3,
    );
    const lookedUp: string[] = [];
    const counted: Pick<Database, 'all' | 'get'> = {
      get: (sql, values) => db.get(sql, values),
      all(sql, values = []) {
        if (sql === selectWithFacts(1)) {
          lookedUp.push(...(JSON.parse(values[1] as string) as { id: string }[]).map(({ id }) => id));
        }
        return db.all(sql, values);
      },
    };
    const found = await findEvents(counted, {
      ...{ project, range: { low: 'evt_', high: 'evt_~' }, most: 51, maxScanned: 30 },
      ...{ facts: [tagFact('even'), tagFact('odd')], undecided: null, outcome: null },
    });
    expect(found).toEqual({ ids: [], bound: lookedUp.at(-1) });
    expect(lookedUp).toHaveLength(30);
  });

  test('an id, or its beginning, finds the events whose ids begin with it', async () => {
    const project = await storeProject(db);
    const decided = { type: 'a', channel: null, tags: [], rules: [], endpoints: [] } as const;
    const ids = [
      'evt_6BC000000000000000000000ZZ',
      'evt_6BC000000000000000000001ZZ',
      'evt_6BD000000000000000000000ZZ',
    ];
    const statuses = ['processed', 'received', 'dropped'] as const;
    await storeAll(
      db,
      ids.map((id, i) => ({ ...decided, id, project, status: statuses[i]! })),
    );
    const find = (id: string) => walk(project, { id }, { limit: 2, maxScanned: 2_000 });
    expect(await find('evt_6BC')).toEqual([ids[1], ids[0]]);
    expect(await find(ids[0]!)).toEqual([ids[0]]);
    expect(await find('evt_6BC000000000000000000002')).toEqual([]);
    expect(await find('evt_')).toEqual([...ids].reverse());
  });

  test.for([
    { query: 'status=gone', why: 'an unknown status' },
    { query: 'colour=red', why: 'an unknown condition' },
    { query: 'from=yesterday', why: 'no instant' },
    { query: 'id=evt_l', why: 'no beginning of an id' },
    { query: 'rule=1', why: 'no id' },
    { query: 'limit=0', why: 'a limit below 1' },
    { query: 'cursor=WyJhIl0', why: 'a cursor of another list' },
    { query: Array.from({ length: 11 }, (_, i) => `tag=${i}`).join('&'), why: 'eleven tags' },
  ])('refuses $why', async ({ query }) => {
    const response = await appOf(10).request(`http://host/projects/${newId(1)}/events?${query}`);
    expect(response.status).toBe(400);
  });

  test('an event that only just came in is listed before it is decided', async () => {
    const project = await storeProject(db);
    const event: StoredEvent = {
      id: firstEventIdAt(1_800_000_000_000),
      project,
      type: 'a',
      channel: CHANNELS[0]!,
      status: 'received',
      tags: [],
      rules: [],
      endpoints: [],
    };
    await storeEvents(db, [event]);
    const page = await pageOf(appOf(100), project, { type: 'a' }, {});
    expect(page).toEqual({
      items: [
        {
          id: event.id,
          type: 'a',
          topic: 'a',
          channel: { id: CHANNELS[0], name: `name of ${CHANNELS[0]}` },
          received_at: '2027-01-15T08:00:00.000Z',
          status: 'received',
          tags: [],
          dropped_by: null,
          matched: [],
          matched_count: 0,
          deliveries: { pending: 0, delivered: 0, failed: 0 },
          outcome: 'not_decided',
        },
      ],
      next: null,
      scanned_to: null,
      tail_position: 0,
    });
  });
});
