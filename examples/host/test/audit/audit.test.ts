/** The audit log as a list. */
import fc from 'fast-check';
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

  test('documents of any depth go in and come out', async () => {
    const { db, send, projectId, projectKey, clock } = await world(await open());
    let deep: object = {};
    for (let depth = 0; depth < 100_000; depth++) deep = { deep };
    const entry = { project: projectId, actor: 'service', action: 'deep.changed', resource: 'deep:1' };
    await writeAudit(db, clock.now(), { ...entry, after: deep });
    const got = await send('GET', `/projects/${projectId}/audit?action=deep.changed`, { key: projectKey });
    expect(got.status).toBe(200);
    expect(got.text).toContain(`"after":${'{"deep":'.repeat(100_000)}{}${'}'.repeat(100_000)}`);
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
