/** How often a rule matched: in all, in the last day, and by the hour. */
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { makeProject, openRoom, tagRule } from './room.js';

const MINUTE_MS = 60_000;
/** Half past an hour. */
const NOW = Date.UTC(2026, 0, 15, 12, 30, 30);
const THIS_MINUTE = Math.floor(NOW / MINUTE_MS);

describe.each(databases())('the counts of a rule in $name', ({ open }) => {
  test('are those of the rule, by minute and hour', async () => {
    const db = await open();
    const project = await makeProject(db);
    const { ask } = openRoom(db, project, { now: () => NOW });
    const [id, other] = await Promise.all(
      ['a', 'b'].map(async (name, i) => String((await ask('POST', '/rules', tagRule(name, i))).body.id)),
    );
    expect((await ask('GET', `/rules/${id!}`)).body.counts).toEqual({
      matched: 0,
      last_24h: 0,
      last_matched_at: null,
    });
    const minutes = [
      [0, 1],
      [-30, 2],
      [-31, 4],
      [-1_439, 8],
      [-1_440, 16],
      [-10_000, 32],
    ] as const;
    const rows = minutes.map(([ago, matched]) => ({ minute: THIS_MINUTE + ago, matched }));
    await db.insert(
      'rule_minutes',
      rows.map((row) => ({ rule_id: id!, ...row })),
    );
    await db.insert('rule_minutes', [{ rule_id: other!, minute: THIS_MINUTE, matched: 1_000 }]);
    await db.insert('rule_counts', [
      { rule_id: id!, project_id: project, matched: 63, last_matched_at: NOW - 5 },
    ]);
    const counts = { matched: 63, last_24h: 15, last_matched_at: '2026-01-15T12:30:29.995Z' };
    expect((await ask('GET', `/rules/${id!}`)).body.counts).toEqual(counts);
    expect((await ask('GET', '/rules')).body.items).toMatchObject([
      { counts },
      { counts: { matched: 0, last_24h: 1_000 } },
    ]);
    const { body } = await ask('GET', `/rules/${id!}/hours?hours=25`);
    const hours = (body.items as { at: string; matched: number }[]).filter(({ matched }) => matched > 0);
    expect(body.items).toHaveLength(25);
    expect(hours).toEqual([
      { at: '2026-01-14T12:00:00.000Z', matched: 24 },
      { at: '2026-01-15T11:00:00.000Z', matched: 4 },
      { at: '2026-01-15T12:00:00.000Z', matched: 3 },
    ]);
    expect((await ask('GET', `/rules/${id!}/hours?hours=169`)).status).toBe(400);
    expect((await ask('DELETE', `/rules/${id!}`)).status).toBe(204);
    expect(await db.all('select minute from rule_minutes where rule_id = $1', [id!])).toEqual([]);
    expect(await db.all('select matched from rule_counts where rule_id = $1', [id!])).toEqual([]);
    expect((await ask('GET', `/rules/${id!}/hours`)).status).toBe(404);
  });

  test('of another project are not found', async () => {
    const db = await open();
    const mine = openRoom(db, await makeProject(db));
    const other = openRoom(db, await makeProject(db));
    const { body } = await other.ask('POST', '/rules', tagRule('theirs'));
    const path = `/rules/${String(body.id)}`;
    for (const [method, suffix, given] of [
      ['GET', '', undefined],
      ['GET', '/hours', undefined],
      ['PUT', '', tagRule('mine')],
      ['PATCH', '', { name: 'mine' }],
      ['DELETE', '', undefined],
    ] as const) {
      expect((await mine.ask(method, `${path}${suffix}`, given)).status).toBe(404);
    }
    expect(await mine.ask('PUT', '/rules/order', { ids: [body.id] })).toMatchObject({ status: 409 });
    expect((await other.ask('GET', path)).body).toMatchObject({ name: 'theirs', version: 1 });
  });
});
