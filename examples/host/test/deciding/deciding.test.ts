/** The whole of deciding, with real threads. */
import { setTimeout as sleep } from 'node:timers/promises';
import { compileRules, type Rule } from 'headgate';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { createDeciding, type Deciding, type DecidingSettings } from '../../src/deciding/deciding.js';
import { databases } from '../db/databases.js';
import { AT, recordedRows, seedEvents, seedProject } from './seed.js';

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

function heart(
  db: Database,
  rules: (project: string) => readonly Rule[] = () => RULES,
  settings: Partial<DecidingSettings> = {},
): Heart {
  const reports: unknown[] = [];
  const replaced: string[] = [];
  const deciding = createDeciding({
    db,
    now: () => AT + 1,
    rules: { current: (project) => Promise.resolve({ version: 7, text: JSON.stringify(rules(project)) }) },
    endpoints: {
      ofProject: () =>
        Promise.resolve([{ id: '00000000-0000-7000-8000-00000000000a', status: 'active' as const }]),
    },
    wake: () => undefined,
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

describe.each(databases())('$name', ({ open, place }) => {
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
        rules_version: 7,
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
    const connect = place();
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
    for (let n = 0; n < 43; await sleep(20)) n = (await db.get<{ n: number }>(isDecided))!.n;
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
});
