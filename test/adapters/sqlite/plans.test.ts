/** The plans of statements: none reads a whole table. */
import { describe, expect, test } from 'vitest';
import { Columns } from '../../../src/delivery/columns.js';
import { makeDue } from '../../../src/adapters/sqlite/make-due.js';
import { migrate } from '../../../src/adapters/sqlite/schema.js';
import {
  countLetters,
  namedFor,
  selectLetterIds,
  selectLetters,
} from '../../../src/adapters/sqlite/statements.js';
import { expectAroundBacklog } from '../model.js';
import { connect, newPath, openStore } from './files.js';

const columns = new Columns({ tenant_id: 'text', size: 'integer' });

/** The lines of SQLite's query plan. */
function planOf(sql: string, isAnalyzed: boolean): string[] {
  const database = connect(newPath());
  migrate(database, columns);
  if (isAnalyzed) {
    // A million rows, of which nearly all are finished: what the planner would believe after `analyze`.
    database.exec('analyze');
    const statistics = database.prepare("insert into sqlite_stat1 values ('headgate_deliveries', ?, ?)");
    for (const [index, rows] of [
      ['headgate_due', '1000 2'],
      ['headgate_leases', '100 2'],
      ['headgate_lanes', '1000 2 1'],
      ['headgate_holders', '1000000 1'],
      ['headgate_finished', '999000 2'],
    ] as const) {
      statistics.run(index, rows);
    }
    database.exec('analyze sqlite_schema');
  }
  const rows = database.prepare(`explain query plan ${sql}`).all() as { detail: string }[];
  return rows.map(({ detail }) => detail);
}

const letters = ['dead_letter = 1', 'endpoint_id = ?'];
const statements: Record<string, string> = {
  ...namedFor(columns),
  selectLetters: selectLetters(columns, letters),
  selectLetterIds: selectLetterIds(letters),
  countLetters: countLetters(letters),
  makeDueById: makeDue(true, false),
  makeDueByEndpoint: makeDue(false, true),
};

describe.for([false, true])('with statistics: %s', (isAnalyzed) => {
  test.for(Object.entries(statements))('%s walks through no table', ([, sql]) => {
    const scans = planOf(sql, isAnalyzed).filter((step) => /^SCAN (headgate_|next)/.test(step));
    expect(scans).toEqual([]);
  });

  test.for(['due', 'expired', 'later', 'leased', 'queues'])('%s sorts nothing', (name) => {
    expect(planOf(statements[name]!, isAnalyzed).filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
  });
});

test('claims go around what is behind, over thousands of endpoints', async () => {
  await expectAroundBacklog(openStore());
});
