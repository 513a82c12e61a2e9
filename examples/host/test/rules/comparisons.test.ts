/** Comparisons: other rules on stored events, against decisions that the library makes in the test. */
import fc from 'fast-check';
import { compileRules, diffJson, type Rule, stringifyJson } from 'headgate';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { createEventIds, newId } from '../../src/ids.js';
import { createComparedEvents } from '../../src/rules/comparisons/compared-events.js';
import type { ComparisonGroup } from '../../src/rules/comparisons/routes.js';
import { eventForRules, type EventForRules, type PersistedEvent } from '../../src/stored/event-json.js';
import { databases } from '../db/databases.js';
import { makeProject, serveRules } from './served.js';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;
const IDS = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];

type Stored = Omit<PersistedEvent, 'project'>;
type Groups = Readonly<
  Record<ComparisonGroup, { readonly events: number; readonly samples: readonly Sample[] }>
>;
interface Sample {
  readonly id: string;
  readonly then: object;
  readonly now: object;
  readonly diff?: readonly unknown[];
}
interface Answer {
  readonly id: string;
  readonly scanned: number;
  readonly undecided: number;
  readonly is_complete: boolean;
  readonly groups: Groups;
}

const anyMatch = fc.constantFrom(
  { path: 'data.body.n', op: 'gte', value: 2 },
  { path: 'data.body.kind', op: 'eq', value: 'a' },
  { path: 'data.body.kind', op: 'exists' },
  { path: 'raw_payload.method', op: 'eq', value: 'PUT' },
);
const anyAction = fc.constantFrom(
  { type: 'drop' },
  { type: 'tag', tags: ['x'] },
  { type: 'tag', tags: ['x', 'y'] },
  { type: 'tag', tags: ['y', 'x'] },
  { type: 'route_only', endpoint_ids: [IDS[0]] },
  { type: 'route_only', endpoint_ids: [IDS[1]?.toUpperCase(), IDS[0]] },
  { type: 'transform', ops: [{ op: 'uppercase', path: 'data.body.kind' }] },
  { type: 'transform', ops: [{ op: 'set', path: 'data.body.n', value: 1 }] },
);
const anyRule: fc.Arbitrary<Rule> = fc
  .record({
    match: anyMatch,
    action: anyAction,
    priority: fc.integer({ min: 0, max: 3 }),
    enabled: fc.boolean(),
  })
  .map((rule) => ({ id: newId(NOW), name: 'Rule', stage: 'deliver', ...rule }) as Rule);
const someRules = fc.array(anyRule, { maxLength: 4 });
const anyBody = fc.record({ n: fc.integer({ min: 0, max: 3 }), kind: fc.constantFrom('a', 'A', 'b') });

/** Stores events with the decisions of rules; the oldest is the first. Every seventh one is not decided yet. */
async function storeDecided(
  db: Database,
  project: string,
  bodies: readonly object[],
  rules: readonly Rule[],
) {
  const nextId = createEventIds();
  const set = compileRules(rules);
  const events = bodies.map((body, i): Stored => {
    const receivedAt = NOW - (bodies.length - i) * 60_000;
    const head = { id: nextId(receivedAt), type: 'webhook.received', topic: 'webhook.received', receivedAt };
    return {
      ...{
        ...head,
        channelId: null,
        channelName: null,
        givenTags: null,
        orderingKey: null,
        traceparent: null,
      },
      ...{
        data: JSON.stringify({ body }),
        rawPayload: JSON.stringify({ method: i % 2 === 0 ? 'POST' : 'PUT' }),
      },
    };
  });
  const rows = events.map((event, i) => {
    const row = { id: event.id, project_id: project, channel_id: null, type: event.type, decide_failures: 0 };
    const of = { ...row, received_at: event.receivedAt };
    const undecided = { decide_at: NOW, status: 'received', dropped_by: null, tags: null, decision: null };
    if (i % 7 === 6) return { ...of, ...undecided };
    const { outcome, droppedBy, tags, endpointIds } = set.evaluate(eventForRules(event));
    return {
      ...{ ...of, decide_at: null, status: outcome === 'drop' ? 'dropped' : 'processed' },
      ...{ dropped_by: droppedBy?.id ?? null, tags: JSON.stringify(tags) },
      decision: JSON.stringify({ matched: [], endpoint_ids: endpointIds, limits: [] }),
    };
  });
  await db.insert('events', rows);
  const payloads = events.map((event) => {
    const { data } = set.evaluate(eventForRules(event)).event;
    const text = stringifyJson(data);
    const of = { event_id: event.id, channel_name: null, data: event.data, raw_payload: event.rawPayload };
    return { ...of, projected: text === event.data ? null : text };
  });
  await db.insert('event_payloads', payloads);
  return events.filter((_, i) => i % 7 !== 6);
}

/** The groups of one event, computed from two decisions of the library. */
function groupsOf(event: EventForRules, then: readonly Rule[], now: readonly Rule[]): ComparisonGroup[] {
  const [a, b] = [compileRules(then).evaluate(event), compileRules(now).evaluate(event)];
  if (a.outcome !== b.outcome) return [b.outcome === 'drop' ? 'would_be_dropped' : 'would_be_delivered'];
  if (a.outcome === 'drop') return ['same'];
  const text = (ids: readonly string[] | null): string =>
    ids === null ? 'all' : [...new Set(ids.map((id) => id.toLowerCase()))].sort().join();
  const groups: ComparisonGroup[] = [];
  if (text(a.endpointIds) !== text(b.endpointIds)) groups.push('other_endpoints');
  if (diffJson(a.event.data, b.event.data).length > 0) groups.push('other_data');
  if ([...a.tags].sort().join() !== [...b.tags].sort().join()) groups.push('other_tags');
  return groups.length === 0 ? ['same'] : groups;
}

const GROUPS: readonly ComparisonGroup[] = [
  ...(['same', 'would_be_delivered', 'would_be_dropped'] as const),
  ...(['other_endpoints', 'other_data', 'other_tags'] as const),
];
const TAG: object = {
  ...{ name: 'Tag', stage: 'deliver', priority: 1 },
  ...{ match: { path: 'data.body.n', op: 'gte', value: 0 }, action: { type: 'tag', tags: ['new'] } },
};

describe.each(databases())('a comparison in $name', ({ name, open }) => {
  test('that is not to be kept is only answered', async () => {
    const db = await open();
    const { ask } = serveRules(db, await makeProject(db), { now: () => NOW });
    const list = async () => (await ask('GET', '/comparisons')).body.items as readonly { id: string }[];
    const { body: kept } = await ask('POST', '/comparisons', { window_hours: 1, changed: [] });
    const { status, body } = await ask('POST', '/comparisons', { window_hours: 1, changed: [], keep: false });
    expect([status, body.scanned]).toEqual([200, 0]);
    expect((await list()).map(({ id }) => id)).toEqual([kept.id]);
    expect((await ask('GET', `/comparisons/${String(body.id)}`)).status).toBe(404);
  });

  test('puts each event into the groups that two decisions of it imply, and finds all of them again', async () => {
    const db = await open();
    await fc.assert(
      fc.asyncProperty(
        someRules,
        someRules,
        fc.array(anyBody, { maxLength: 30 }),
        async (then, now, bodies) => {
          const project = await makeProject(db);
          const { ask } = serveRules(db, project, { now: () => NOW });
          const decided = await storeDecided(db, project, bodies, then);
          const { status, body } = await ask('POST', '/comparisons', { window_hours: 1, rules: now });
          expect(status).toBe(200);
          const answer = body as never as Answer;
          const expected = decided.map(
            (event) => [event.id, groupsOf(eventForRules(event), then, now)] as const,
          );
          const { scanned, undecided, is_complete } = answer;
          const counted = {
            scanned: decided.length,
            undecided: bodies.length - decided.length,
            is_complete: true,
          };
          expect({ scanned, undecided, is_complete }).toEqual(counted);
          for (const group of GROUPS) {
            const ids = expected.flatMap(([id, groups]) => (groups.includes(group) ? [id] : []));
            const { events, samples } = answer.groups[group];
            expect([group, events]).toEqual([group, ids.length]);
            expect(samples.map(({ id }) => id)).toEqual([...ids].reverse());
            if (group === 'other_data') expect(samples.every(({ diff = [] }) => diff.length > 0)).toBe(true);
            if (group !== 'same') expect(await selected(db, answer.id, [group])).toEqual(ids);
          }
          const changed = expected.flatMap(([id, groups]) => (groups.includes('same') ? [] : [id]));
          expect(await selected(db, answer.id, GROUPS.slice(1))).toEqual(changed);
          expect((await ask('GET', `/comparisons/${answer.id}`)).body).toEqual(body);
          const list = (await ask('GET', '/comparisons')).body as { readonly items: readonly Answer[] };
          const { groups: _, ...summary } = answer;
          expect(list.items).toEqual([summary]);
        },
      ),
      { numRuns: name === 'SQLite' ? 5 : 2 },
    );
  });

  test('takes the saved rules with changes: replaced, added and removed', async () => {
    const db = await open();
    const project = await makeProject(db);
    const { ask } = serveRules(db, project, { now: () => NOW });
    const first = (await ask('POST', '/rules', { ...TAG, name: 'First' })).body as { readonly id: string };
    const drop = {
      ...TAG,
      name: 'Drop',
      action: { type: 'drop' },
      match: { path: 'data.body.n', op: 'eq', value: 1 },
    };
    const second = (await ask('POST', '/rules', drop)).body as { readonly id: string };
    const saved = (await serveRules(db, project).rules.current(project)).rules;
    await storeDecided(db, project, [{ n: 0 }, { n: 1 }, { n: 2 }], saved);
    const counts = async (body: object): Promise<object> => {
      const { groups } = (await ask('POST', '/comparisons', { window_hours: 1, ...body }))
        .body as never as Answer;
      const found = GROUPS.flatMap((group) =>
        groups[group].events > 0 ? [[group, groups[group].events]] : [],
      );
      return Object.fromEntries(found) as object;
    };
    expect(await counts({})).toEqual({ same: 3 });
    expect(await counts({ removed: [second.id] })).toEqual({ same: 2, would_be_delivered: 1 });
    expect(await counts({ changed: [{ ...TAG, id: first.id, enabled: false }] })).toEqual({
      same: 1,
      other_tags: 2,
    });
    const more = { ...drop, match: { path: 'data.body.n', op: 'gte', value: 1 }, priority: 0 };
    expect(await counts({ changed: [more] })).toEqual({ same: 2, would_be_dropped: 1 });
    expect(await counts({ rules: [] })).toEqual({ would_be_delivered: 1, other_tags: 2 });
  });

  test('refuses rules that are not valid and ids that the project does not have, each with its pointer', async () => {
    const db = await open();
    const project = await makeProject(db);
    const { ask } = serveRules(db, project, { now: () => NOW });
    const stranger = newId(NOW);
    const pointerOf = async (body: object): Promise<unknown> => {
      const { status, body: problem } = await ask('POST', '/comparisons', { window_hours: 1, ...body });
      const [issue] = (problem.issues ?? []) as readonly { readonly pointer: string }[];
      return [status, problem.code, issue?.pointer];
    };
    const bad = { ...TAG, match: { path: 'data.n', op: 'gte', value: true } };
    expect(await pointerOf({ changed: [TAG, bad] })).toEqual([422, 'invalid_rule', '/changed/1/match/value']);
    expect(await pointerOf({ rules: [7] })).toEqual([422, 'invalid_rule', '/rules/0']);
    expect(await pointerOf({ removed: [stranger] })).toEqual([400, 'invalid_request', '/removed/0']);
    const unknown = { changed: [{ ...TAG, id: stranger }] };
    expect(await pointerOf(unknown)).toEqual([400, 'invalid_request', '/changed/0/id']);
    expect(await pointerOf({ window_hours: 169 })).toEqual([400, 'invalid_request', '/window_hours']);
    expect((await ask('GET', `/comparisons/${stranger}`)).status).toBe(404);
  });

  test('is kept for a day, and of a project the last twenty', async () => {
    const db = await open();
    const project = await makeProject(db);
    let now = NOW;
    const { ask } = serveRules(db, project, { now: () => now });
    await storeDecided(db, project, [{ n: 1 }], []);
    const ids: string[] = [];
    const run = async (): Promise<void> => {
      now++;
      const { body } = await ask('POST', '/comparisons', { window_hours: 1, rules: [TAG] });
      ids.push((body as never as Answer).id);
    };
    await run();
    await createComparedEvents(db, () => now).keep(project, ids[0]!, now + 30 * 24 * HOUR);
    for (let i = 0; i < 20; i++) ids.push(await copyOf(db, ids[0]!, ++now));
    await run();
    const shown = async (): Promise<readonly string[]> => {
      const { items } = (await ask('GET', '/comparisons')).body as { readonly items: readonly Answer[] };
      return items.map(({ id }) => id);
    };
    // The first is kept for a replay, and does not count.
    expect(await shown()).toEqual([...ids.slice(2).reverse(), ids[0]]);
    const left = await db.all<{ id: string }>('select comparison_id as id from comparison_events order by 1');
    expect(left.map(({ id }) => id)).toEqual([ids[0], ...ids.slice(2)]);
    const { keep } = createComparedEvents(db, () => now);
    const far = now + 30 * 24 * HOUR;
    for (let i = 1; i < 100; i++) await keep(project, await copyOf(db, ids[0]!, NOW), far);
    await expect(keep(project, ids[5]!, far)).rejects.toMatchObject({ code: 'conflict' });
    await keep(project, ids[0]!, far);
    await db.run('delete from comparisons where created_at = $1 and id <> $2', [NOW, ids[0]!]);
    now = NOW + 24 * HOUR + 30;
    expect(await shown()).toEqual([ids[0]]);
    expect((await ask('GET', `/comparisons/${ids[5]}`)).status).toBe(404);
  });

  test('that runs out of time says how far it got, and streams its progress', async () => {
    const db = await open();
    const project = await makeProject(db);
    const deadline = new AbortController();
    const parts = { now: () => NOW, dryRunDeadline: () => deadline.signal };
    const { fetch } = serveRules(db, project, parts);
    await storeDecided(
      db,
      project,
      Array.from({ length: 50 }, (_, n) => ({ n })),
      [],
    );
    deadline.abort();
    const body = { window_hours: 168, rules: [TAG] };
    const response = await fetch('POST', '/comparisons', body, { accept: 'text/event-stream' });
    const text = await response.text();
    const report = JSON.parse(/event: report\ndata: (.*)/.exec(text)?.[1] ?? '{}') as Answer & {
      from: string;
    };
    expect(report).toMatchObject({ is_complete: false });
    expect(report.scanned).toBeLessThan(43);
    expect(Date.parse(report.from)).toBeGreaterThan(NOW - 168 * HOUR);
  });
});

/** Stores a comparison once more, as if it had been made at another time. */
async function copyOf(db: Database, id: string, at: number): Promise<string> {
  const row = await db.get('select * from comparisons where id = $1', [id]);
  const copy = { ...row, id: newId(at), created_at: at, expires_at: at + 24 * HOUR };
  await db.insert('comparisons', [copy]);
  const events = await db.all('select * from comparison_events where comparison_id = $1', [id]);
  await db.insert(
    'comparison_events',
    events.map((of) => ({ ...of, comparison_id: copy.id })),
  );
  return copy.id;
}

async function selected(db: Database, id: string, groups: readonly ComparisonGroup[]) {
  const compared = createComparedEvents(db, () => NOW);
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { ids, next } = await compared.select({ id, groups, cursor, most: 4 });
    found.push(...ids);
    cursor = next;
  }
  return found;
}
