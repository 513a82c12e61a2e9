/** Matches are noted by decisions and counted later: each once, no matter which process counts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { newId } from '../../src/ids.js';
import { createCounter } from '../../src/matches/counter.js';
import { matchesOf, noteRows } from '../../src/matches/noted.js';
import { databases } from '../db/databases.js';
import { AT, seedProject } from '../deciding/seed.js';

const MINUTE_MS = 60_000;

const counterOf = (db: Database) =>
  createCounter({
    db,
    report: (error) => {
      throw error;
    },
  });

async function seedRules(db: Database, project: string, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => newId(AT));
  const rows = ids.map((id) => ({
    ...{ id, project_id: project, document: '{}', bytes: 2, priority: 1, enabled: 1, version: 1 },
    ...{ changed_in: 1, created_at: AT, updated_at: AT },
  }));
  await db.insert('rules', rows);
  return ids;
}

/** Counts of rules by a plain loop: the matches in all, the last one, and those of each minute. */
function reckon(notes: readonly { readonly at: number; readonly events: readonly (readonly string[])[] }[]) {
  const counts = new Map<string, { matched: number; last: number }>();
  const minutes = new Map<string, number>();
  for (const { at, events } of notes) {
    for (const id of events.flat()) {
      const { matched = 0, last = 0 } = counts.get(id) ?? {};
      counts.set(id, { matched: matched + 1, last: Math.max(last, at) });
      const minute = `${id} ${Math.floor(at / MINUTE_MS)}`;
      minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    }
  }
  return { counts, minutes };
}

async function countsIn(db: Database, project: string) {
  const counts = await db.all<{ rule_id: string; matched: number; last_matched_at: number }>(
    'select rule_id, matched, last_matched_at from rule_counts where project_id = $1',
    [project],
  );
  const minutes = await db.all<{ rule_id: string; minute: number; matched: number }>(
    'select m.* from rule_minutes m join rule_counts c on c.rule_id = m.rule_id where c.project_id = $1',
    [project],
  );
  return {
    counts: new Map(counts.map((row) => [row.rule_id, { matched: row.matched, last: row.last_matched_at }])),
    minutes: new Map(minutes.map((row) => [`${row.rule_id} ${row.minute}`, row.matched])),
  };
}

describe.each(databases())('$name', ({ open }) => {
  test('every match is counted once, in its minute, however many rules matched, in whichever process', async () => {
    const db = await open();
    const project = await seedProject(db);
    const rules = await seedRules(db, project, 1_200);
    const subset = fc.oneof(
      fc.subarray([...rules.slice(0, 5)]),
      fc.tuple(fc.nat(1_000), fc.nat(1_200)).map(([from, count]) => rules.slice(from, from + count)),
    );
    const note = fc.record({
      at: fc.integer({ min: AT, max: AT + 3 * MINUTE_MS }),
      events: fc.array(subset, { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(note, { maxLength: 6 }), async (notes) => {
        await db.run('delete from rule_counts');
        await db.run('delete from rule_minutes');
        for (const { at, events } of notes) {
          const matches = events.map((ids) => ids.join(' '));
          await db.insert('rule_matches', noteRows(project, matches, at));
        }
        await Promise.all([counterOf(db).count(), counterOf(db).count()]);
        expect(await countsIn(db, project)).toEqual(reckon(notes));
        expect(await db.all('select id from rule_matches')).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  test('more notes than one transaction takes are all counted', async () => {
    const db = await open();
    const project = await seedProject(db);
    const [rule] = await seedRules(db, project, 1);
    for (let i = 0; i < 250; i++) await db.insert('rule_matches', noteRows(project, [rule!], AT));
    await counterOf(db).count();
    expect((await countsIn(db, project)).counts.get(rule!)).toEqual({ matched: 250, last: AT });
  });

  test('a rule that was deleted before its matches were counted has no counts', async () => {
    const db = await open();
    const project = await seedProject(db);
    const [kept, gone] = await seedRules(db, project, 2);
    await db.insert('rule_matches', noteRows(project, [`${kept!} ${gone!}`, gone!], AT));
    await db.run('delete from rules where id = $1', [gone!]);
    await counterOf(db).count();
    expect([...(await countsIn(db, project)).counts.keys()]).toEqual([kept]);
    expect(await db.all('select id from rule_matches')).toEqual([]);
  });
});

test('the rules of many events are noted in few rows, none of which is large', () => {
  const ids = Array.from({ length: 20_000 }, () => newId(AT));
  const rows = noteRows('p', [ids.join(' '), ids.join(' '), ''], AT);
  expect(rows.length).toBeLessThanOrEqual(64);
  const sizes = rows.map(({ rules }) => matchesOf(String(rules)).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(20_000);
  expect(Math.max(...sizes)).toBeLessThan(500);
  expect(noteRows('p', [''], AT)).toEqual([]);
});
