/** How far behind clients are: in entries, and since when. */
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/api/app.js';
import { newId } from '../../src/ids.js';
import { clientsOf } from '../../src/sdk-clients/clients.js';
import { databases } from '../db/databases.js';
import { append, streamOn } from './world.js';

describe.each(databases())('clients in $name', ({ open }) => {
  test('tell how far behind they are, and since when', async () => {
    const db = await open();
    const { project } = await streamOn(db);
    const other = await streamOn(db);
    const ids = await append(db, project, 4, { body: {} });
    await append(db, other.project, 9, { body: {} });
    for (const [i, id] of ids.entries()) {
      await db.run('update events set received_at = $2 where id = $1', [id, 1_000 * (i + 1)]);
    }
    const replay = {
      id: newId(1),
      project_id: project,
      event_id: ids[3]!,
      rules: 'recorded',
      rules_version: 1,
    };
    await db.insert('replays', [
      { ...replay, decision: '{}', projected: null, created_at: 9_000, created_by: 'admin' },
    ]);
    await db.run('update event_log set replay_id = $2 where event_id = $1', [ids[3]!, replay.id]);
    const row = { project_id: project, connection: null, connected_at: null, seen_at: 5, created_at: 5 };
    const cursors = { all: 4, last: 3, none: 0, some: 2 };
    await db.insert(
      'clients',
      Object.entries(cursors).map(([name, position]) => ({ ...row, name, position })),
    );
    // The event behind the third entry is gone.
    await db.run('delete from events where id = $1', [ids[2]!]);
    const app = createApp({
      routes: clientsOf(db, () => 10_000),
      authenticate: () =>
        Promise.resolve({ project: null, scopes: new Set(), actor: 'admin', isSession: false }),
      projectExists: () => Promise.resolve(true),
      served: () => undefined,
      now: () => 10_000,
      isStopping: () => false,
    });
    const get = async (path: string): Promise<unknown> =>
      (await app.fetch(new Request(`http://host.test/projects/${project}/clients${path}`))).json();
    const replayed = '1970-01-01T00:00:09.000Z';
    expect(await get('')).toMatchObject({
      items: [
        { name: 'all', position: 4, head: 4, behind: 0, behind_since: null },
        { name: 'last', behind: 1, behind_since: replayed },
        { name: 'none', behind: 4, behind_since: '1970-01-01T00:00:01.000Z' },
        { name: 'some', behind: 2, behind_since: replayed },
      ],
    });
    expect(await get('/some')).toMatchObject({ head: 4, behind: 2, behind_since: replayed });
  });
});
