/** Statements on alerts read the rows that they name, in a large project beside another, on both databases. */
import { describe, expect, test } from 'vitest';
import {
  HOUR_MS,
  LOCK_DUE,
  RAISE,
  RECIPIENTS,
  selectPage,
  SELECT_FOR_UPDATE,
  SELECT_RAISED,
} from '../../src/alerts/statements.js';
import type { Database } from '../../src/db/index.js';
import { DELETE_ALERTS } from '../../src/retention/statements.js';
import { newId } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { type Asked, openPlanning, rowsRead, sqlitePlan } from '../db/plan-reader.js';

const [PROJECT, OTHER] = [newId(1), newId(2)];
const ALERTS = 20_000;
const KIND = 'headgate.source.rejected';
const subjectOf = (n: number): string => `channel:${n}`;
const ROW = {
  ...{ project_id: PROJECT, kind: KIND, subject: subjectOf(0), id: newId(3), since: 1, last_at: HOUR_MS },
  ...{ signs: 1, detail: '{}' },
};

/** Each with the rows of alerts that it may read. */
const ASKED: readonly (readonly [...Asked, rows: number])[] = [
  ['raise', RAISE, [JSON.stringify([ROW])], 2],
  ['raised before', SELECT_RAISED, [PROJECT, KIND, subjectOf(0), 0], 1],
  ['due', LOCK_DUE, [5, 50], 20],
  ['open', selectPage(false), [PROJECT, 'g', 51], 51],
  ['all', selectPage(null), [PROJECT, 'g', 51], 51],
  ['one', SELECT_FOR_UPDATE, [PROJECT, newId(4)], 2],
  ['recipients', RECIPIENTS, [JSON.stringify([PROJECT])], 0],
  ['old', DELETE_ALERTS, [PROJECT, 0], ALERTS],
];

/** Half of the alerts are of another project; four are due. */
const fill = (db: Database): Promise<number> =>
  db.insert(
    'alerts',
    Array.from({ length: ALERTS }, (_, n) => ({
      ...{ project_id: n % 2 === 0 ? PROJECT : OTHER, kind: KIND, subject: subjectOf(n), id: newId(n) },
      ...{ since: 1, last_at: 1, signs: 1, detail: '{}', unsent: 0, unsent_since: 1 },
      ...{ send_at: n < 4 ? n : null, dismissed_at: null },
    })),
  );

test('Postgres reads the rows that are named, with and without statistics', async () => {
  const planning = await openPlanning();
  await fill(planning.db);
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await planning.client.query('analyze');
    for (const [name, sql, values, most] of ASKED) {
      await planning.client.query('begin');
      for (const { alerts = 0 } of await rowsRead(planning, [name, sql, values])) {
        expect([name, isAnalyzed, alerts, alerts <= most]).toEqual([name, isAnalyzed, alerts, true]);
      }
      await planning.client.query('rollback');
    }
  }
});

describe('SQLite', () => {
  const [sqlite] = databases();

  test('searches the rows that are named by their keys', async () => {
    const db = await sqlite!.open();
    await db.get('select count(*) as n from alerts');
    for (const [name, sql, values] of ASKED) {
      const plan = await sqlitePlan(db, [name, sql, values]);
      expect([name, plan.filter((step) => /^SCAN (?:alerts|endpoints|others)\b/.test(step))]).toEqual([
        name,
        [],
      ]);
    }
  });
});
