/** The cache of rules: how old what it gives may be. */
import { describe, expect, test } from 'vitest';
import { createRuleCache, MAX_AGE_MS } from '../../src/rules/current.js';
import { databases } from '../db/databases.js';
import { makeProject } from './served.js';

describe.each(databases())('the current rules in $name', ({ open }) => {
  test('are as old as the beginning of the comparison, however long it takes', async () => {
    const db = await open();
    const project = await makeProject(db);
    let at = 1_800_000_000_000;
    let isSlow = false;
    const all: typeof db.all = async (...asked) => {
      const rows = await db.all<never>(...asked);
      if (!isSlow) return rows;
      // The answer comes late. Meanwhile another process edits, and its notification is lost.
      isSlow = false;
      at += MAX_AGE_MS - 1;
      await db.run('update projects set rules_version = rules_version + 1 where id = $1', [project]);
      return rows;
    };
    const cache = createRuleCache({ ...db, all, listen: () => () => undefined }, () => at);
    expect((await cache.current(project)).version).toBe(0);
    at += MAX_AGE_MS;
    isSlow = true;
    await cache.current(project);
    expect(isSlow).toBe(false);
    at += 1;
    expect((await cache.current(project)).version).toBe(1);
  });
});
