/** How often a rule matched: in all, in the last day, and by the hour. */
import { ruleLimits } from 'headgate';
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { makeProject, serveRules, tagRule } from './served.js';

const MINUTE_MS = 60_000;
/** Half past an hour. */
const NOW = Date.UTC(2026, 0, 15, 12, 30, 30);
const THIS_MINUTE = Math.floor(NOW / MINUTE_MS);

describe.each(databases())('the counts of a rule in $name', ({ open }) => {
  test('are those of the rule, by minute and hour', async () => {
    const db = await open();
    const project = await makeProject(db);
    const { ask } = serveRules(db, project, { now: () => NOW });
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

  test('of all rules come in one request, with how many rules there may be', async () => {
    const db = await open();
    const project = await makeProject(db, 'pro');
    const { ask } = serveRules(db, project, { now: () => NOW });
    const stranger = serveRules(db, await makeProject(db), { now: () => NOW });
    const made: string[] = [];
    for (const [i, name] of ['a', 'b'].entries()) {
      made.push(String((await ask('POST', '/rules', tagRule(name, i))).body.id));
    }
    const theirs = String((await stranger.ask('POST', '/rules', tagRule('theirs'))).body.id);
    const [a, b] = made as [string, string];
    const rows = [
      [a, 0, 1],
      [a, -31, 2],
      [a, -1_439, 4],
      [a, -9_000, 8],
      [b, 600, 16],
      [theirs, 0, 32],
    ] as const;
    await db.insert(
      'rule_minutes',
      rows.map(([rule_id, ago, matched]) => ({ rule_id, minute: THIS_MINUTE + ago, matched })),
    );
    const day = await ask('GET', '/rules/counts');
    expect(day.body).toMatchObject({
      ...{ from: '2026-01-14T13:00:00.000Z', to: '2026-01-15T13:00:00.000Z', bucket_seconds: 3_600 },
      items: [
        { rule_id: a, matched: 3 },
        { rule_id: b, matched: 0 },
      ],
      next: null,
    });
    const [first] = day.body.items as { series: number[] }[];
    expect(first?.series).toEqual([...Array<number>(22).fill(0), 2, 1]);
    const week = (await ask('GET', '/rules/counts?period=week&limit=1')).body;
    expect(week).toMatchObject({ items: [{ rule_id: a, matched: 15 }] });
    const rest = await ask('GET', `/rules/counts?period=week&limit=1&cursor=${String(week.next)}`);
    expect(rest.body).toMatchObject({ items: [{ rule_id: b, matched: 0 }], next: null });
    expect((await ask('GET', '/rules')).body.quota).toEqual({ plan: 'pro', used: 2, limit: ruleLimits.pro });
    expect((await stranger.ask('GET', '/rules')).body.quota).toEqual({ plan: 'scale', used: 1, limit: null });
  });

  test('of another project are not found', async () => {
    const db = await open();
    const mine = serveRules(db, await makeProject(db));
    const other = serveRules(db, await makeProject(db));
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
