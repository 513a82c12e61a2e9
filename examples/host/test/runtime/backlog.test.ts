/** The backlog, as the database tells it. */
import { describe, expect, test } from 'vitest';
import { createEventIds } from '../../src/ids.js';
import { readBacklog } from '../../src/runtime/backlog.js';
import { seedProject } from '../deciding/seed.js';
import { databases } from '../db/databases.js';

const newEventId = createEventIds();

const NOW = 1_700_000_000_000;

describe.each(databases())('$name', ({ open }) => {
  test('undecided events are counted in all projects, and the oldest of them counts', async () => {
    const db = await open();
    expect(await readBacklog(db, NOW)).toMatchObject({ undecided: 0, oldestUndecidedMs: 0 });
    const projects = [await seedProject(db), await seedProject(db), await seedProject(db)];
    // Ids sort by time. In the last project, which has the oldest, everything is decided.
    const events = [2, 1, 0].flatMap((i) => [7_000 - i, 3_000 - i, 2_000 - i].map((age) => ({ i, age })));
    for (const { i, age } of events.sort((a, b) => b.age - a.age)) {
      const [received_at, status] = [NOW - age, i === 0 ? 'processed' : 'received'];
      await db.insert('events', [
        {
          ...{ id: newEventId(received_at), project_id: projects[i]!, channel_id: null, type: 't' },
          ...{ topic: null, status, received_at, decide_at: NOW, decide_failures: 0 },
        },
      ]);
    }
    expect(await readBacklog(db, NOW)).toMatchObject({ undecided: 6, oldestUndecidedMs: 6_999 });
  });
});
