/** The statements that remove deleted projects: they know every table, and read the rows of their project alone. */
import { describe, expect, test } from 'vitest';
import type { Database, Row, Sql } from '../../src/db/index.js';
import { newId } from '../../src/ids.js';
import { SELECT_CONTENTS } from '../../src/projects/statements.js';
import * as sql from '../../src/retention/removal-statements.js';
import { DELETE_EVENTS, DELETE_PARTS } from '../../src/retention/statements.js';
import { databases } from '../db/databases.js';
import { type Asked, openPlanning, rowsRead, sqlitePlan } from '../db/plan-reader.js';

const [PROJECT, OTHER] = [newId(1), newId(2)];
const OWNERS = [sql.COMPARISONS, ...sql.OWNERS];
const OWNED = OWNERS.flatMap(({ deleteOwned }) => deleteOwned);
const textOf = (one: Sql): string => (typeof one === 'string' ? one : one.sqlite);

const ASKED: readonly Asked[] = [
  ...[...sql.DELETE_OWN, ...sql.DELETE_LAST, ...sql.SELECT_DELIVERIES, sql.SELECT_EVENTS].map(
    (one): Asked => [textOf(one), one, [PROJECT]],
  ),
  ...[sql.DELETE_NAMED_REQUESTS, ...OWNED].map((one): Asked => [
    textOf(one),
    one,
    [JSON.stringify([{ id: PROJECT }])],
  ]),
  ...OWNERS.map((owner): Asked => [owner.table, sql.selectOwners(owner), [PROJECT]]),
  ['deleted before', sql.SELECT_DELETED, [PROJECT, 'rule.deleted', '']],
  ['contents', SELECT_CONTENTS, [PROJECT, 1]],
];

/** Tables that have no rows of a project, or keep them for the operator. */
const OTHERS = ['disk_probe', 'leases', 'project_deletions', 'sealing_keys', 'summed_minutes'];

/** Rows of a table, half of them of another project. */
const rowsOf = (make: (n: number, project: string) => Row): readonly Row[] =>
  Array.from({ length: 40_000 }, (_, n) => make(n, n % 2 === 0 ? PROJECT : OTHER));

/** One of eighty endpoints or rules; one of them has the id of the project. */
const ownerOf = (n: number): string => (n % 80 === 0 ? PROJECT : `${OTHER.slice(0, -2)}${10 + (n % 80)}`);

async function fill(db: Database): Promise<void> {
  const tables: Readonly<Record<string, (n: number, project: string) => Row>> = {
    event_log: (n, project_id) => ({ project_id, position: n, event_id: `evt_${n}`, origin: 'live' }),
    event_postings: (n, project_id) => ({ project_id, fact: 'f', newest_id: `evt_${n}`, event_ids: '' }),
    event_minutes: (n, project_id) => ({ project_id, minute: n, status: 'dropped', events: 1 }),
    endpoint_minutes: (minute) => ({
      ...{ endpoint_id: ownerOf(minute), minute, code: 'ok', attempts: 1, duration_ms: 1, slowest_ms: 1 },
    }),
    rule_minutes: (minute) => ({ rule_id: ownerOf(minute), minute, matched: 1 }),
    received_requests: (at, project_id) => ({
      ...{ id: newId(at), receiver_id: project_id, project_id, at, request: '{}' },
    }),
    audit_log: (at, project_id) => ({
      ...{ id: newId(at), project_id, at, actor: 'admin', action: 'rule.updated', resource: `rule:${at}` },
    }),
  };
  for (const [table, make] of Object.entries(tables)) {
    const rows = rowsOf(make);
    for (let i = 0; i < rows.length; i += 8_000) await db.insert(table, rows.slice(i, i + 8_000));
  }
}

test('Postgres reads the rows of a batch, with and without statistics', async () => {
  const planning = await openPlanning();
  await fill(planning.db);
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await planning.client.query('analyze');
    for (const [name, one, values] of ASKED) {
      await planning.client.query('begin');
      for (const read of await rowsRead(planning, [name, one, values])) {
        // The rows are read to be found, and again to be deleted.
        const most = Math.max(0, ...Object.values(read));
        expect([name, isAnalyzed, read, most <= 1_000]).toEqual([name, isAnalyzed, read, true]);
      }
      await planning.client.query('rollback');
    }
  }
});

describe('SQLite', () => {
  const [sqlite] = databases();

  test('searches the rows of a project by an index', async () => {
    const db = await sqlite!.open();
    await db.get('select count(*) as n from events');
    for (const asked of ASKED) {
      const plan = await sqlitePlan(db, asked);
      expect([asked[0], plan.filter((step) => /^SCAN (?!json_each|value|few|CONSTANT)/.test(step))]).toEqual([
        asked[0],
        [],
      ]);
    }
  });

  test('a new table is removed with its project, or named here', async () => {
    const db = await sqlite!.open();
    const tables = await db.all<{ name: string }>("select name from sqlite_master where type = 'table'");
    const own = tables.map(({ name }) => name).filter((name) => !/^(?:sqlite_|headgate_|host_)/.test(name));
    const deleted = [
      ...sql.DELETE_OWN,
      ...sql.DELETE_LAST,
      ...OWNED,
      sql.DELETE_NAMED_REQUESTS,
      DELETE_EVENTS,
    ]
      .concat(DELETE_PARTS, OWNERS.map(sql.deleteOwners))
      .map((one) => /^delete from (\w+)/.exec(textOf(one))?.[1] ?? '');
    expect(own.length).toBeGreaterThan(30);
    expect(own.sort()).toEqual([...new Set([...deleted, ...OTHERS, 'projects'])].sort());
  });
});
