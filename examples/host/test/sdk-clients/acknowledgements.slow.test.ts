/** Acknowledgements: of what was sent alone, never lost while the database comes back, never late for a stop. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { WINDOW } from '../../src/sdk-clients/protocol.js';
import { ACKNOWLEDGE } from '../../src/sdk-clients/statements.js';
import { databases } from '../db/databases.js';
import { type RawClient, streamOn, type StreamWorld } from './world.js';

const NAME = 'billing';

async function welcomed(world: StreamWorld): Promise<RawClient> {
  const client = await world.connect({ client: NAME });
  await expect.poll(() => client.of('welcome')).toHaveLength(1);
  return client;
}

const sentTo = (client: RawClient): number => client.positions.at(-1) ?? 0;

/** The position and the connection of the name, as the database has them. */
const cursorIn = (db: Database, project: string) =>
  db.get('select position, connection from clients where project_id = $1', [project]);

/** A database in which something else happens before acknowledgements are recorded. */
const beforeRecords = (db: Database, first: () => Promise<void>): Database => ({
  ...db,
  run: async (sql, values) => {
    if (sql === ACKNOWLEDGE) await first();
    return db.run(sql, values);
  },
});

/** A promise, and the function that resolves it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe.each(databases())('$name', ({ open }) => {
  test('what was sent may be acknowledged, in any order; anything after it closes the connection', async () => {
    const db = await open();
    const entries = fc.constantFrom(0, 1, 7, WINDOW, WINDOW + 1, 2 * WINDOW);
    await fc.assert(
      fc.asyncProperty(
        entries,
        fc.array(fc.nat(WINDOW), { maxLength: 4 }),
        fc.nat(2),
        async (count, acks, more) => {
          const world = await streamOn(db);
          const client = await welcomed(world);
          await world.append(count);
          let acknowledged = 0;
          const isAllSent = () =>
            expect.poll(() => sentTo(client)).toBe(Math.min(count, acknowledged + WINDOW));
          await isAllSent();
          for (const position of acks.map((nth) => Math.min(nth, sentTo(client)))) {
            client.send({ type: 'ack', position });
            acknowledged = Math.max(acknowledged, position);
            await isAllSent();
          }
          client.send({ type: 'ping' });
          await expect.poll(() => client.of('pong')).toHaveLength(1);
          expect(client.closed).toBeNull();
          client.send({ type: 'ack', position: sentTo(client) + 1 + more });
          await expect.poll(() => client.closed).toEqual({ code: 4400 });
          await expect
            .poll(() => cursorIn(db, world.project))
            .toEqual({ position: acknowledged, connection: null });
          await world.stream.stop();
        },
      ),
      { numRuns: 10, endOnFailure: true },
    );
  });

  test('nothing is sent further than a window beyond what is saved, so a crash repeats no more than that', async () => {
    const db = await open();
    const { opened, open: save } = gate();
    const world = await streamOn(beforeRecords(db, () => opened));
    const client = await welcomed(world);
    await world.append(3 * WINDOW);
    await expect.poll(() => sentTo(client)).toBe(WINDOW);
    client.send({ type: 'ack', position: WINDOW });
    client.send({ type: 'ping' });
    await expect.poll(() => client.of('pong')).toHaveLength(1);
    expect(sentTo(client)).toBe(WINDOW);
    save();
    await expect.poll(() => sentTo(client)).toBe(2 * WINDOW);
    await world.stream.stop();
  });

  test('acknowledgements are recorded once the database takes them, without another frame of the client', async () => {
    const db = await open();
    let failures = 0;
    const away = beforeRecords(db, async () => {
      if (++failures <= 5) await Promise.reject(new Error('away'));
    });
    // The clock stands still: no heart-beat records them instead.
    const world = await streamOn(away, undefined, undefined, () => 1_800_000_000_000);
    const client = await welcomed(world);
    await world.append(3);
    await expect.poll(() => client.positions).toEqual([1, 2, 3]);
    client.send({ type: 'ack', position: 2 });
    await expect.poll(() => cursorIn(db, world.project)).toMatchObject({ position: 2 });
    expect(world.counts.failures).toBe(5);
    expect(client.closed).toBeNull();
  });

  test.for(['the client goes', 'the stream stops'])(
    'an acknowledgement that comes while others are recorded is recorded, too, when %s',
    async (end) => {
      const db = await open();
      const { opened, open: record } = gate();
      let records = 0;
      const slow = beforeRecords(db, () => (++records === 1 ? opened : Promise.resolve()));
      const world = await streamOn(slow);
      const client = await welcomed(world);
      await world.append(3);
      await expect.poll(() => client.positions).toEqual([1, 2, 3]);
      client.send({ type: 'ack', position: 1 });
      await expect.poll(() => records).toBe(1);
      client.send({ type: 'ack', position: 3 });
      client.send({ type: 'ping' });
      await expect.poll(() => client.of('pong')).toHaveLength(1);
      let stopped = Promise.resolve();
      if (end === 'the stream stops') stopped = world.stream.stop();
      else client.socket.close();
      await expect.poll(() => world.counts.connected).toBe(0);
      record();
      await stopped;
      const cursor = () => cursorIn(db, world.project);
      if (end === 'the stream stops') expect(await cursor()).toEqual({ position: 3, connection: null });
      else await expect.poll(cursor).toEqual({ position: 3, connection: null });
    },
  );
});
