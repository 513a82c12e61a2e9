/** The whole of deciding, with real threads. */
import { setTimeout as sleep } from 'node:timers/promises';
import { compileRules, type Rule } from 'headgate';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Database, DatabaseUnavailable } from '../../src/db/index.js';
import { createDeciding, type Deciding, type DecidingSettings } from '../../src/deciding/deciding.js';
import { databases } from '../db/databases.js';
import { AT, noScheduler, recordedRows, seedEvents, seedProject } from './seed.js';

const RULES: readonly Rule[] = [
  {
    id: 'r1',
    name: 'drop',
    stage: 'deliver',
    priority: 1,
    match: { path: 'data.body.n', op: 'eq', value: 3 },
    action: { type: 'drop' },
  },
  {
    id: 'r2',
    name: 'tag',
    stage: 'deliver',
    priority: 2,
    match: { path: 'raw_payload.method', op: 'eq', value: 'POST' },
    action: { type: 'tag', tags: ['post'] },
  },
  {
    id: 'r3',
    name: 'set',
    stage: 'deliver',
    priority: 3,
    match: { path: 'data.body.n', op: 'gt', value: 5 },
    action: { type: 'transform', ops: [{ op: 'set', path: 'data.body.n', value: 0 }] },
  },
];

interface Heart {
  readonly deciding: Deciding;
  readonly reports: unknown[];
  readonly replaced: string[];
}

/** @param before - Runs before rules are read. */
function heart(
  db: Database,
  rules: (project: string) => readonly Rule[] = () => RULES,
  settings: Partial<DecidingSettings> = {},
  before: () => Promise<void> = () => Promise.resolve(),
): Heart {
  const reports: unknown[] = [];
  const replaced: string[] = [];
  const deciding = createDeciding({
    db,
    now: () => AT + 1,
    rules: {
      async current(project) {
        await before();
        const text = JSON.stringify(rules(project));
        return { version: text.length, text };
      },
    },
    endpoints: {
      subscribers: () =>
        Promise.resolve([{ id: '00000000-0000-7000-8000-00000000000a', status: 'active' as const }]),
    },
    ...noScheduler,
    metrics: {
      decided: () => undefined,
      decideFailed: () => undefined,
      storeFailed: () => undefined,
      threadReplaced: (reason) => void replaced.push(reason),
    },
    report: (error) => void reports.push(error),
    settings,
  });
  onTestFinished(() => deciding.stop());
  return { deciding, reports, replaced };
}

const undecided = async (db: Database): Promise<number> =>
  (await db.get<{ n: number }>("select count(*) as n from events where status = 'received'"))!.n;
const decidedAll = async (db: Database): Promise<void> => {
  while ((await undecided(db)) > 0) await sleep(10);
};

describe.each(databases())('$name', ({ open, create }) => {
  test('events are decided as the library decides them', async () => {
    const db = await open();
    const project = await seedProject(db);
    const events = await seedEvents(
      db,
      project,
      Array.from({ length: 120 }, (_, i) => ({ n: i % 10 })),
    );
    const { deciding, reports } = heart(db);
    deciding.take(events);
    await decidedAll(db);
    const ruleSet = compileRules(RULES);
    const { events: rows, payloads, log } = await recordedRows(db);
    for (const [i, event] of events.entries()) {
      const decision = ruleSet.evaluate({
        id: event.id,
        type: event.type,
        data: JSON.parse(event.data) as Record<string, unknown>,
        raw_payload: JSON.parse(event.rawPayload!),
      });
      expect(rows![i]).toMatchObject({
        status: decision.outcome === 'drop' ? 'dropped' : 'processed',
        rules_version: JSON.stringify(RULES).length,
        dropped_by: decision.droppedBy?.id ?? null,
        tags: JSON.stringify(decision.tags),
      });
      const { projected } = payloads![i] as { projected: string | null };
      expect(projected === null ? null : JSON.parse(projected)).toEqual(
        decision.outcome === 'drop' ||
          decision.event.data.body === (JSON.parse(event.data) as { body: unknown }).body ||
          !decision.matched.some(({ id }) => id === 'r3')
          ? null
          : decision.event.data,
      );
    }
    expect(log).toHaveLength(108);
    expect(reports).toEqual([]);
  });

  test('what another process left undecided is decided once its lease has ended', async () => {
    const connect = create();
    const [db, other] = [await connect(), await connect()];
    const [mine, theirs] = [await seedProject(db), await seedProject(db)];
    await seedEvents(db, mine, [1, 2, 3], AT);
    await seedEvents(
      db,
      theirs,
      Array.from({ length: 40 }, (_, i) => i),
      AT + 1,
    );
    const leased = await seedEvents(db, mine, [4], AT + 10_000);
    heart(db).deciding.start();
    heart(other).deciding.start();
    const isDecided = `select count(*) as n from events where status <> 'received'`;
    const count = async (): Promise<number> => (await db.get<{ n: number }>(isDecided))!.n;
    while ((await count()) < 43) await sleep(20);
    const { events, heads } = await recordedRows(db);
    expect(events!.filter((row) => (row as { status: string }).status === 'received')).toEqual([
      expect.objectContaining({ id: leased[0]!.id, decide_at: AT + 10_000 }),
    ]);
    expect(heads).toHaveLength(2);
    expect(heads).toEqual(
      expect.arrayContaining([
        { id: mine, log_position: 3 },
        { id: theirs, log_position: 40 },
      ]),
    );
  });

  test('a project whose events take long does not delay the others', async () => {
    const db = await open();
    const [hostile, honest] = [await seedProject(db), await seedProject(db)];
    const slow = await seedEvents(db, hostile, [{ text: longText(8_192) }]);
    const quick = await seedEvents(
      db,
      honest,
      Array.from({ length: 20 }, (_, n) => ({ n })),
    );
    // Deciding the slow event takes seconds.
    const { deciding, replaced, reports } = heart(
      db,
      (project) => (project === hostile ? SLOW_RULES : RULES),
      { budget: 1e12, eventBudget: 1e12, stuckMs: 100, hangMs: 600_000 },
    );
    deciding.take([...slow, ...quick]);
    while ((await undecided(db)) > 1) await sleep(10);
    const { events } = await recordedRows(db);
    expect(events).toContainEqual(expect.objectContaining({ id: slow[0]!.id, status: 'received' }));
    expect(replaced).toContain('stuck');
    expect(reports).toEqual([]);
  });

  test('a thread that hangs is ended: its event is tried again later, and the others are decided', async () => {
    const db = await open();
    const [hostile, honest] = [await seedProject(db), await seedProject(db)];
    const [bad] = await seedEvents(db, hostile, [{ text: longText(262_144) }]);
    const good = await seedEvents(db, honest, [{ n: 1 }, { n: 2 }]);
    const { deciding, replaced, reports } = heart(
      db,
      (project) => (project === hostile ? SLOW_RULES : RULES),
      {
        ...{ budget: 1e12, eventBudget: 1e12, stuckMs: 50, hangMs: 2_000 },
      },
    );
    deciding.take([good[0]!, bad!, good[1]!]);
    const failures = (): Promise<{ n: number } | undefined> =>
      db.get<{ n: number }>('select decide_failures as n from events where id = $1', [bad!.id]);
    while ((await failures())?.n === 0) await sleep(10);
    while ((await undecided(db)) > 1) await sleep(10);
    expect(replaced).toContain('hung');
    expect(reports).toHaveLength(1);
    const { events } = await recordedRows(db);
    expect(events).toContainEqual(
      expect.objectContaining({ id: bad!.id, status: 'received', decide_at: AT + 1 + 1_000 }),
    );
  });

  test('rules that cannot be compiled leave the events as they are, with a growing wait', async () => {
    const db = await open();
    const project = await seedProject(db);
    const [event] = await seedEvents(db, project, [1]);
    const { deciding, reports } = heart(db, () => [{ ...RULES[0]!, match: { path: '', op: 'exists' } }]);
    const row = (): Promise<{ n: number; at: number } | undefined> =>
      db.get('select decide_failures as n, decide_at as at from events where id = $1', [event!.id]);
    for (let failures = 1; failures <= 12; failures++) {
      while ((await row())!.n < failures) {
        deciding.take([event!]);
        await sleep(5);
      }
      expect((await row())!.at).toBe(AT + 1 + 1_000 * 2 ** Math.min(failures - 1, 9));
    }
    expect(reports).toHaveLength(12);
    expect((await recordedRows(db)).log).toEqual([]);
  });

  test('a stored event is decided again by the rules of now, and nothing is recorded', async () => {
    const db = await open();
    const project = await seedProject(db);
    const [event] = await seedEvents(db, project, [{ n: 9 }]);
    let rules: readonly Rule[] = [];
    const { deciding } = heart(db, () => rules);
    deciding.take([event!]);
    await decidedAll(db);
    const before = await recordedRows(db);
    rules = RULES;
    expect(await deciding.again(project, event!.id)).toMatchObject({
      outcome: 'deliver',
      rulesVersion: JSON.stringify(RULES).length,
      matched: [{ id: 'r2' }, { id: 'r3' }],
      projected: '{"body":{"n":0}}',
    });
    await expect(deciding.again(await seedProject(db), event!.id)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect({ ...(await recordedRows(db)), heads: null }).toEqual({ ...before, heads: null });
  });

  test('while the rules cannot be read, events wait, and a caller that only asks is refused', async () => {
    const db = await open();
    const project = await seedProject(db);
    const [event] = await seedEvents(db, project, [1]);
    let isAway = true;
    const { deciding, reports } = heart(db, undefined, {}, () =>
      isAway ? Promise.reject(new DatabaseUnavailable(new Error('away'))) : Promise.resolve(),
    );
    deciding.take([event!]);
    await expect(deciding.again(project, event!.id)).rejects.toThrow(DatabaseUnavailable);
    isAway = false;
    await decidedAll(db);
    expect(await db.get('select decide_failures as n from events')).toEqual({ n: 0 });
    expect(reports).toEqual([]);
  });

  test('evaluations stop while their decisions wait for the database', async () => {
    const db = await open();
    const project = await seedProject(db);
    const events = await seedEvents(
      db,
      project,
      Array.from({ length: 300 }, (_, n) => ({ n })),
    );
    let goOn = (): void => undefined;
    const blocked = new Promise<void>((resolve) => (goOn = resolve));
    const blocking: Database = { ...db, transaction: (work) => blocked.then(() => db.transaction(work)) };
    // Large rules have the slow lane, where each job has one event.
    const rules = Array.from({ length: 3_000 }, (_, i) => ({ ...RULES[0]!, id: `r${i}` }));
    let jobs = 0;
    const { deciding } = heart(
      blocking,
      () => rules,
      {},
      () => {
        jobs++;
        return Promise.resolve();
      },
    );
    deciding.take(events);
    for (let before = 0; jobs < 100 || jobs > before;) {
      before = jobs;
      await sleep(500);
    }
    expect(jobs).toBeLessThanOrEqual(202);
    goOn();
    await decidedAll(db);
    expect((await recordedRows(db)).log).toHaveLength(299);
  });

  test('events that another process decided first take up no room', async () => {
    const db = await open();
    const project = await seedProject(db);
    const events = await seedEvents(db, project, [1, 2]);
    await db.run("update events set status = 'processed'");
    const { deciding } = heart(db, () => RULES, { held: { events: 3, units: 1_000_000 } });
    deciding.take(events);
    expect(deciding.hasRoom(project, 1)).toBe(false);
    await expect.poll(() => deciding.hasRoom(project, 1)).toBe(true);
  });

  test('a process that stops gives its events back at once', async () => {
    const db = await open();
    const project = await seedProject(db);
    const events = await seedEvents(
      db,
      project,
      Array.from({ length: 60 }, (_, n) => ({ n })),
      AT + 15_000,
    );
    const { deciding } = heart(db);
    deciding.take(events);
    await deciding.stop();
    const rows = (await recordedRows(db)).events as { status: string; decide_at: number | null }[];
    expect(rows.filter(({ status, decide_at: at }) => status === 'received' && at !== AT + 1)).toEqual([]);
    const other = heart(db);
    other.deciding.start();
    await decidedAll(db);
    expect((await recordedRows(db)).log).toHaveLength(60 - 1);
  });

  test('a process that stops leaves alone what another process decided meanwhile', async () => {
    const db = await open();
    const project = await seedProject(db);
    const events = await seedEvents(db, project, [1, 2, 3, 4], AT + 15_000);
    let readRules = (): void => undefined;
    const blocked = new Promise<void>((resolve) => (readRules = resolve));
    const { deciding } = heart(
      db,
      () => RULES,
      {},
      () => blocked,
    );
    deciding.take(events);
    const decided = events.slice(0, 2).map(({ id }) => id);
    await db.run("update events set status = 'processed', decide_at = null where id in {list $1}", [
      JSON.stringify(decided),
    ]);
    await deciding.stop();
    readRules();
    const rows = await db.all<{ id: string; decide_at: number | null }>('select id, decide_at from events');
    expect(new Map(rows.map(({ id, decide_at }) => [id, decide_at]))).toEqual(
      new Map(events.map(({ id }) => [id, decided.includes(id) ? null : AT + 1])),
    );
  });
});

/** A text on which each pattern works as long as it may. */
const longText = (length: number): string =>
  Array.from({ length }, (_, i) => ((i * 7_919) % 13 < 6 ? 'a' : 'b')).join('');
const SLOW_RULES: readonly Rule[] = Array.from({ length: 10 }, (_, i) => ({
  ...{ id: `s${i}`, name: 'slow', stage: 'deliver', priority: i },
  match: {
    any: Array.from({ length: 30 }, (_, n) => ({
      ...{ path: 'data.body.text', op: 'matches', value: `[ab]*a[ab]{${150 + 15 * n + i}}[^ab].` },
    })),
  },
  action: { type: 'tag', tags: ['slow'] },
})) as unknown as readonly Rule[];
