/** The sweeper: which undecided events it takes. */
import { describe, expect, test } from 'vitest';
import { createSweeper } from '../../src/deciding/sweeper.js';
import { databases } from '../db/databases.js';
import { AT, seedEvents, seedProject } from './seed.js';

describe.each(databases())('$name', ({ open }) => {
  test('a project whose rules cannot be read keeps no other project from its turn', async () => {
    const db = await open();
    const broken = await seedProject(db);
    const others = [await seedProject(db), await seedProject(db)];
    for (const project of [broken, ...others]) await seedEvents(db, project, [1, 2]);
    const taken: string[] = [];
    const failures: unknown[] = [];
    const sweeper = createSweeper({
      db,
      now: () => AT,
      rules: {
        current: (project) =>
          project === broken
            ? Promise.reject(new Error('the rules are damaged'))
            : Promise.resolve({ version: 1, text: '[]' }),
      },
      roomFor: () => 100,
      take: (events) => void taken.push(...events.map(({ project }) => project)),
      failed: (error) => void failures.push(error),
    });
    expect(await sweeper.sweep()).toBe(4);
    expect(new Set(taken)).toEqual(new Set(others));
    expect(failures).toEqual([new Error('the rules are damaged')]);
  });

  test('an event is due at the millisecond in which its lease ends, and not before', async () => {
    const db = await open();
    const project = await seedProject(db);
    const [due] = await seedEvents(db, project, [1], AT);
    await seedEvents(db, project, [2], AT + 1);
    const taken: string[] = [];
    const sweeper = createSweeper({
      db,
      now: () => AT,
      rules: { current: () => Promise.resolve({ version: 1, text: '[]' }) },
      roomFor: () => 100,
      take: (events) => void taken.push(...events.map(({ id }) => id)),
      failed: (error) => expect.fail(String(error)),
    });
    await sweeper.sweep();
    expect(taken).toEqual([due!.id]);
  });
});
