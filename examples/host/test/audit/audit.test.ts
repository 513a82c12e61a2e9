/** The audit log as a list. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { parseJson } from 'headgate';
import { describe, expect, test } from 'vitest';
import { createAudit } from '../../src/audit/list.js';
import { writeAudit } from '../../src/audit/audit.js';
import type { Database } from '../../src/db/index.js';
import { serve } from '../api/served.js';
import { databases } from '../db/databases.js';

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly resource: string;
  readonly before: unknown;
  readonly after: unknown;
}

async function world(db: Database) {
  const served = serve(db, (parts) => createAudit(parts).routes);
  const { id: project, key } = await served.project();
  const list = async (query: Readonly<Record<string, string>> = {}): Promise<[Entry[], string | null]> => {
    const search = new URLSearchParams(query).toString();
    const got = await served.send('GET', `/projects/${project}/audit?${search}`, { key });
    expect(got.status, got.text).toBe(200);
    return [got.body.items as Entry[], got.body.next as string | null];
  };
  return { ...served, projectId: project, projectKey: key, list };
}

describe.each(databases())('the audit log on $name', ({ open }) => {
  test('an entry tells who changed what, from what to what', async () => {
    const { list, send, projectId, projectKey } = await world(await open());
    await send('PATCH', `/projects/${projectId}`, { key: projectKey, body: { retention_days: 7 } });
    const [[entry]] = await list({ action: 'project.updated' });
    expect(entry).toMatchObject({
      at: '2026-01-01T00:00:00.000Z',
      resource: `project:${projectId}`,
      before: { retention_days: 30, version: 1 },
      after: { retention_days: 7, version: 2 },
    });
    expect(entry?.actor).toMatch(/^key:/);
  });

  test('pages hold every entry that fits, once, newest first, whatever is asked for', async () => {
    const { db, list, projectId, clock } = await world(await open());
    const [actors, actions, resources] = [
      ['key:1', 'key:2'],
      ['a.one', 'a.two'],
      ['r:1', 'r:2', 'r:3'],
    ];
    const entries = Array.from({ length: 40 }, (_, i) => ({
      project: projectId,
      actor: actors[i % 2] ?? '',
      action: actions[i % 5 === 0 ? 0 : 1] ?? '',
      resource: resources[i % 3] ?? '',
    }));
    for (const entry of entries) {
      clock.advance(1);
      await writeAudit(db, clock.now(), entry);
    }
    const [all] = await list({ limit: '200' });
    expect(all).toHaveLength(42);
    const maybe = (values: readonly string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const time = fc.option(fc.integer({ min: -1, max: 45 }), { nil: undefined });
    const asked = fc.record({
      ...{ actor: maybe(actors), action: maybe(actions), resource: maybe(resources) },
      ...{ from: time, to: time, limit: fc.integer({ min: 1, max: 50 }) },
    });
    const start = clock.now() - 40;
    await fc.assert(
      fc.asyncProperty(asked, async ({ from, to, limit, ...filters }) => {
        const instantOf = (offset: number): string => new Date(start + offset).toISOString();
        const query: Record<string, string> = { limit: `${limit}` };
        for (const [name, value] of Object.entries(filters)) {
          if (value !== undefined) query[name] = value;
        }
        if (from !== undefined) query.from = instantOf(from);
        if (to !== undefined) query.to = instantOf(to);
        const expected = all.filter(
          (entry) =>
            Object.entries(filters).every(
              ([name, value]) => value === undefined || entry[name as 'actor'] === value,
            ) &&
            (from === undefined || entry.at >= instantOf(from)) &&
            (to === undefined || entry.at < instantOf(to)),
        );
        const seen: Entry[] = [];
        for (let next: string | null = ''; next !== null;) {
          const [items, after]: [Entry[], string | null] = await list(
            next === '' ? query : { ...query, cursor: next },
          );
          expect(items.length).toBeLessThanOrEqual(limit);
          seen.push(...items);
          next = after;
        }
        expect(seen).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  test('of large documents the log keeps the name, what changed, and the hashes of large members', async () => {
    const { db, list, projectId, clock } = await world(await open());
    const entry = { project: projectId, actor: 'service', action: 'rule.updated', resource: 'rule:1' };
    const long = 'x'.repeat(20_000);
    const before = { name: 'A', description: long, match: [long], priority: 1 };
    const write = async (states: { readonly before?: object; readonly after?: object }) => {
      clock.advance(1);
      await writeAudit(db, clock.now(), { ...entry, ...states });
      return (await list({ limit: '1' }))[0][0];
    };
    const leftOut = (value: unknown) => {
      const text = JSON.stringify(value);
      return { left_out: { bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') } };
    };
    expect(await write({ before, after: { ...before, match: ['é', long], priority: 2 } })).toMatchObject({
      before: { name: 'A', match: leftOut([long]), priority: 1 },
      after: { name: 'A', match: { left_out: { bytes: 20_009 } }, priority: 2 },
    });
    const created = { name: 'A', description: leftOut(long), match: leftOut([long]), priority: 1 };
    expect(await write({ after: before })).toMatchObject({ before: null, after: created });
    expect(await write({ before })).toMatchObject({ before: created, after: null });
    const order = Array.from({ length: 1_000 }, (_, priority) => ({ id: 'a rule', priority }));
    const states = { before: order, after: [...order].reverse() };
    expect(await write(states)).toMatchObject({
      before: leftOut(states.before),
      after: leftOut(states.after),
    });
    const small = { name: 'A', list: Array.from({ length: 100 }, () => 'a member') };
    expect(await write({ before: small, after: { ...small, name: 'B' } })).toMatchObject({
      before: small,
      after: { ...small, name: 'B' },
    });
  });

  test('documents of any depth go in and come out', async () => {
    const { db, send, projectId, projectKey, clock } = await world(await open());
    const nested = (depth: number): string => `${'{"deep":'.repeat(depth)}{}${'}'.repeat(depth)}`;
    const entry = { project: projectId, actor: 'service', action: 'deep.changed', resource: 'deep:1' };
    for (const depth of [100_000, 1_800]) {
      clock.advance(1);
      await writeAudit(db, clock.now(), { ...entry, after: parseJson(nested(depth)) as object });
    }
    const got = await send('GET', `/projects/${projectId}/audit?action=deep.changed`, { key: projectKey });
    expect(got.status).toBe(200);
    expect(got.text.includes(`"after":${nested(1_800)}`)).toBe(true);
    expect(got.text).toContain(`"after":{"deep":{"left_out":{"bytes":${nested(99_999).length},`);
  });

  test('a project reads its own entries alone, and a filter cannot be anything but text', async () => {
    const { list, send, project, projectId } = await world(await open());
    const other = await project('Other');
    const [mine] = await list();
    expect(mine.map(({ action }) => action).sort()).toEqual(['key.created', 'project.created']);
    const got = await send('GET', `/projects/${projectId}/audit`, { key: other.key });
    expect(got.status).toBe(404);
    for (const query of ['actor=%00', 'from=yesterday', 'cursor=x', 'limit=0', 'action=a&action=b']) {
      const { status } = await send('GET', `/projects/${other.id}/audit?${query}`, { key: other.key });
      expect.soft(status, query).toBe(400);
    }
  });
});
