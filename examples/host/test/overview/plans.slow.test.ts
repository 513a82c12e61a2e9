/** An overview reads as much of a project of many events as of one with few, on both databases. */
import { describe, expect, test } from 'vitest';
import { PROJECT, storeMany } from '../../bench/lists/data.js';
import type { Database } from '../../src/db/index.js';
import { newId } from '../../src/ids.js';
import * as sql from '../../src/overview/statements.js';
import { LATENCY_COLUMNS } from '../../src/statistics/latency.js';
import { insertDeliveries } from '../db/library-rows.js';
import { databases } from '../db/databases.js';
import { type Asked, openPlanning, rowsRead, sqlitePlan } from '../db/plan-reader.js';

const OTHER = newId(2);
const [ENDPOINT, RULE] = [newId(3), newId(4)];
const EVENTS = 20_000;
const MINUTES = 20_000;
/** The last minutes are in no sum. */
const UNSUMMED = 100;
const PENDING = 1_500;
const [HOUR_AGO, MONTH_AGO] = [MINUTES - 60, 0];
const RULES = JSON.stringify([RULE]);

/** Each with the rows that it may read, table by table; none of the others. Two rows are read at once. */
const ASKED: readonly (readonly [...Asked, most: Readonly<Record<string, number>>])[] = [
  ['events', sql.SELECT_EVENTS, [PROJECT, HOUR_AGO, 1], { event_minutes: 60 }],
  [
    'attempts of an hour',
    sql.SELECT_ATTEMPTS,
    [PROJECT, HOUR_AGO, 1],
    // Before the first analyze, Postgres may read the minutes of all endpoints in that hour, of which there are two.
    { endpoint_minutes: 120, endpoints: 2, attempt_spans: 2 },
  ],
  [
    'attempts of a month',
    sql.SELECT_ATTEMPTS,
    [PROJECT, MONTH_AGO, 720],
    { endpoint_minutes: UNSUMMED, endpoints: 2, attempt_spans: MINUTES / 30 + 1 },
  ],
  [
    'matches of a month',
    sql.SELECT_MATCHED,
    [JSON.stringify([{ id: RULE }]), MONTH_AGO],
    { rule_minutes: UNSUMMED, rule_spans: MINUTES / 30 + 1 },
  ],
  ['rules that match', sql.SELECT_OFTEN, [PROJECT, 0], { rules: 2, rule_counts: 2 }],
  ['rules that do not', sql.SELECT_UNMATCHED, [PROJECT, 0], { rules: 2, rule_counts: 2 }],
  ['names', sql.SELECT_NAMES, [PROJECT, RULES], { rules: 2 }],
  ['room', sql.SELECT_ROOM, [PROJECT], { rules: 2 }],
  ['pending', sql.SELECT_PENDING, [PROJECT], { deliveries: 1_000 }],
  ['undecided', sql.SELECT_UNDECIDED, [PROJECT], { events: EVENTS / 200 }],
  ['attention', sql.SELECT_ATTENTION, [PROJECT], { alerts: 0, endpoints: 2, deliveries: 0 }],
  ['failing', sql.SELECT_FAILING, [PROJECT], { endpoints: 2 }],
  ['causes', sql.SELECT_CAUSES, [ENDPOINT, 0], { endpoint_minutes: 100 }],
  ['next minutes', sql.SELECT_NEXT, [], { endpoint_minutes: 1, rule_minutes: 1 }],
  [
    'sum of attempts',
    sql.SUM_ATTEMPTS,
    [MINUTES - UNSUMMED, MINUTES - UNSUMMED + 10],
    { endpoint_minutes: 20, endpoints: 20 },
  ],
  [
    'sum of matches',
    sql.SUM_MATCHES,
    [MINUTES - UNSUMMED, MINUTES - UNSUMMED + 10],
    { rule_minutes: 20, rules: 20 },
  ],
];
/** Tables of a row or so, which are read at once. */
const SMALL = new Set(['projects', 'summed_minutes']);

/** Half of the minutes are of another project. */
async function fill(db: Database): Promise<void> {
  await storeMany(db, EVENTS);
  const [theirEndpoint, theirRule] = [newId(5), newId(6)];
  const common = { version: 1, created_at: 1, updated_at: 1 };
  const endpoint = { name: 'E', url: 'u', status: 'active', retry_max_attempts: 1, ...common };
  const rule = { document: '{"name":"R"}', bytes: 2, priority: 1, enabled: 1, changed_in: 1, ...common };
  const both = [
    [PROJECT, ENDPOINT, RULE],
    [OTHER, theirEndpoint, theirRule],
  ] as const;
  for (const [project_id, endpointId, ruleId] of both) {
    const more = { retry_backoff_base_seconds: 1, failing_since: 1 };
    await db.insert('endpoints', [{ id: endpointId, project_id, ...endpoint, ...more }]);
    await db.insert('rules', [{ id: ruleId, project_id, ...rule }]);
    await db.insert('rule_counts', [{ rule_id: ruleId, project_id, matched: 1, last_matched_at: 1 }]);
    const attempts = { code: 'timeout', attempts: 1, slowest_ms: 1 };
    for (let from = 0; from < MINUTES; from += 5_000) {
      const minutes = Array.from({ length: 5_000 }, (_, i) => from + i);
      const rows = minutes.map((minute) => ({
        endpoint_id: endpointId,
        minute,
        ...attempts,
        duration_ms: 1,
      }));
      await db.insert('endpoint_minutes', rows);
      const matches = minutes.map((minute) => ({ rule_id: ruleId, minute, matched: 1 }));
      await db.insert('rule_minutes', matches);
      const events = minutes.map((minute) => ({ project_id, minute, status: 'processed', events: 1 }));
      await db.insert('event_minutes', events);
    }
  }
  await db.run(sql.TAKE_MINUTES, [0, MINUTES - UNSUMMED]);
  await db.run(sql.SUM_ATTEMPTS, [0, MINUTES - UNSUMMED]);
  await db.run(sql.SUM_MATCHES, [0, MINUTES - UNSUMMED]);
  const ids = Array.from({ length: 20 }, (_, i) => newId(6 + i));
  const others = ids.flatMap((id) => Array.from({ length: 1_000 }, (_, span) => ({ id, span })));
  const sums = { code: 'ok', attempts: 1, slowest_ms: 1 };
  const latencies = Object.fromEntries(LATENCY_COLUMNS.map((column) => [column, 0]));
  for (let from = 0; from < MINUTES; from += 5_000) {
    const some = others.slice(from, from + 5_000);
    await db.insert(
      'attempt_spans',
      some.map(({ id, span }) => ({ project_id: id, span, ...sums, ...latencies })),
    );
    await db.insert(
      'rule_spans',
      some.map(({ id, span }) => ({ rule_id: id, span, matched: 1 })),
    );
  }
  const delivery = { event_type: 't', origin: 'live', state: 'pending', attempts: 0, dead: 0 } as const;
  await db.transaction((tx) =>
    insertDeliveries(
      db,
      tx,
      Array.from({ length: PENDING }, (_, i) => ({
        ...{ id: `evt_x:${i}`, project_id: PROJECT, event_id: 'evt_x', endpoint_id: ENDPOINT, ...delivery },
        ...{ created_at: i, due_at: i, finished_at: null },
      })),
    ),
  );
}

test('Postgres reads the minutes, the sums and what waits, with and without statistics', async () => {
  const planning = await openPlanning();
  await fill(planning.db);
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await planning.client.query('analyze');
    for (const [name, statement, values, most] of ASKED) {
      await planning.client.query('begin');
      for (const read of await rowsRead(planning, [name, statement, values])) {
        const over = Object.entries(read).filter(
          ([table, rows]) => !SMALL.has(table) && rows > (most[table] ?? 0),
        );
        expect([name, isAnalyzed, over]).toEqual([name, isAnalyzed, []]);
      }
      await planning.client.query('rollback');
    }
  }
});

describe('SQLite', () => {
  const [sqlite] = databases();

  test('searches indexes, and scans no table', async () => {
    const db = await sqlite!.open();
    await fill(db);
    for (const [name, statement, values] of ASKED) {
      const plan = await sqlitePlan(db, [name, statement, values]);
      const bad = plan.filter((step) =>
        /^SCAN (?:events|endpoints|e|endpoint_minutes|m|rule_minutes|rules|rule_counts|event_minutes|attempt_spans|rule_spans|headgate_deliveries|alerts)\b/.test(
          step,
        ),
      );
      expect([name, bad.length === 0 ? [] : plan]).toEqual([name, []]);
    }
  });
});
