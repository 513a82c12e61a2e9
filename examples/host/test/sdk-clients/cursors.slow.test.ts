/** The cursors of clients: how many there may be, who is connected, and what is left when a process stops or dies. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/api/app.js';
import type { Scope } from '../../src/api/route.js';
import type { Database } from '../../src/db/index.js';
import { createEventIds } from '../../src/ids.js';
import { clientsOf } from '../../src/sdk-clients/clients.js';
import { recordDecisions } from '../../src/deciding/record.js';
import { INSERT_LOG, TAKE_POSITIONS } from '../../src/delivering/statements.js';
import { cursorFrom, MAX_NAMES, CURSOR_LEASE_MS } from '../../src/sdk-clients/cursors.js';
import { storeReply } from '../../src/sdk-clients/replies.js';
import { databases } from '../db/databases.js';
import { AT, decisionOf, seedEvents, seedProject } from '../deciding/seed.js';
import { append, type RawClient, streamOn } from './world.js';

const newEventId = createEventIds();

const welcomed = (client: RawClient) => expect.poll(() => client.of('welcome')).toHaveLength(1);

/** The client as the API shows it at an instant. */
async function shownAt(db: Database, project: string, at: number): Promise<Record<string, unknown>> {
  const app = createApp({
    routes: clientsOf(db, () => at),
    authenticate: () =>
      Promise.resolve({ project, scopes: new Set<Scope>(['read']), actor: 'key:k', isSession: false }),
    ...{ served: () => undefined, now: () => at, isStopping: () => false },
    projectExists: () => Promise.resolve(true),
  });
  const response = await app.request(`http://host/projects/${project}/clients/billing`);
  return (await response.json()) as Record<string, unknown>;
}

/** Adds the entry of a replay to the log. */
const replay = (db: Database, project: string, event_id: string): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.run(TAKE_POSITIONS, [project, 1]);
    await tx.run(INSERT_LOG, [project, JSON.stringify([{ n: 0, event_id, replay_id: randomUUID() }])]);
  });

describe.each(databases())('$name', ({ open }) => {
  test('a client is shown as connected while its process says so, and not after that has died', async () => {
    const db = await open();
    const { project, connect } = await streamOn(db);
    await welcomed(await connect({ client: 'billing' }));
    const now = Date.now();
    expect(await shownAt(db, project, now)).toMatchObject({ connected: true });
    // Nobody leaves the cursor of a process that was killed: it is as if the clock went on without it.
    const later = await shownAt(db, project, now + CURSOR_LEASE_MS + 60_000);
    expect(later).toMatchObject({ connected: false, connected_at: null });
  });

  test('a connected client that acknowledges nothing is seen all the same', async () => {
    const db = await open();
    const { project, connect } = await streamOn(db);
    await welcomed(await connect({ client: 'billing' }));
    await db.run('update clients set seen_at = 1 where project_id = $1', [project]);
    await expect.poll(() => shownAt(db, project, Date.now())).toMatchObject({ connected: true });
  });

  test('a stream that has stopped leaves every cursor', async () => {
    const db = await open();
    const { project, connect, stream } = await streamOn(db);
    await welcomed(await connect({ client: 'billing' }));
    await stream.stop();
    expect(await shownAt(db, project, Date.now())).toMatchObject({ connected: false });
  });

  test('a cursor is before the first entry of an event and of all after it, whatever was dropped, late or replayed', async () => {
    const db = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('deliver', 'drop'), { minLength: 1, maxLength: 12 }),
        fc.array(fc.array(fc.nat({ max: 11 }), { maxLength: 6 }), { maxLength: 5 }),
        fc.array(fc.nat({ max: 11 }), { maxLength: 3 }),
        async (outcomes, batches, replayed) => {
          const project = await seedProject(db);
          const events = await seedEvents(db, project, outcomes);
          for (const batch of [...batches, [...events.keys()]]) {
            const decided = [...new Set(batch)].flatMap((n) => {
              const [event, outcome] = [events[n], outcomes[n]];
              return event && outcome ? [{ event, decision: decisionOf({ outcome }) }] : [];
            });
            await db.transaction((tx) => recordDecisions(tx, decided, () => [], AT));
          }
          for (const event of replayed.flatMap((n) => events[n] ?? [])) await replay(db, project, event.id);
          const log = await db.all<{ position: number; event_id: string }>(
            'select position, event_id from event_log where project_id = $1',
            [project],
          );
          const [{ log_position: head } = { log_position: 0 }] = await db.all<{ log_position: number }>(
            'select log_position from projects where id = $1',
            [project],
          );
          for (const { id } of events) {
            const later = log.filter((entry) => entry.event_id >= id).map(({ position }) => position);
            const expected = later.length === 0 ? head : Math.min(...later) - 1;
            expect(await cursorFrom(db, project, id)).toBe(expected);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test('a project has a limited number of names, and those that it has come back', async () => {
    const db = await open();
    const { project, connect } = await streamOn(db);
    const of = { project_id: project, position: 0, connection: null, connected_at: null };
    await db.insert(
      'clients',
      Array.from({ length: MAX_NAMES }, (_, n) => ({ ...of, name: `n${n}`, seen_at: 0, created_at: 0 })),
    );
    const another = await connect({ client: 'one-more' });
    await expect.poll(() => another.closed).toEqual({ code: 4429 });
    await welcomed(await connect({ client: 'n7' }));
    await welcomed(await connect());
    await db.run(`delete from clients where name = 'n8'`);
    await welcomed(await connect({ client: 'one-more' }));
  });

  test('a reply is stored with its event, or refused: none is left when the event goes at the same moment', async () => {
    const db = await open();
    const { project } = await streamOn(db);
    for (let round = 0; round < 10; round++) {
      const [event] = await append(db, project, 1, {});
      const reply = { project, client: 'c', id: `r${round}`, event_id: event!, payload: '1' };
      const [result] = await Promise.all([
        storeReply(db, reply, Date.now()),
        db.transaction(async (tx) => {
          // As retention does: the event is locked, what belongs to it goes, and then the event.
          await tx.run('update events set type = type where id = $1', [event!]);
          await tx.run('delete from replies where event_id = $1', [event!]);
          await sleep(2);
          await tx.run('delete from events where id = $1', [event!]);
        }),
      ]);
      expect(['stored', 'unknown_event']).toContain(result);
    }
    expect(await db.all('select id from replies')).toEqual([]);
    const gone = { project, client: 'c', id: 'r', event_id: newEventId(Date.now()), payload: '1' };
    expect(await storeReply(db, gone, Date.now())).toBe('unknown_event');
  });
});
