/** Connections of the host, opened by the package. */
import { dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  openSqlite,
  type OpenSqliteOptions,
  type SqliteConnection,
} from '../../../src/adapters/sqlite/index.js';
import { newDelivery } from '../../../src/delivery/index.js';
import { until } from '../../until.js';
import { connect, newPath, openStore } from './files.js';

/** A connection with a table of one number, closed when the test is over. */
function open(options: Partial<OpenSqliteOptions> = {}) {
  const path = newPath();
  const connection = openSqlite({ path, ...options });
  onTestFinished(() => connection.close());
  connection.database.exec(
    'create table counter (n integer not null) strict; insert into counter values (0)',
  );
  const another = connect(path);
  const seenByOthers = () => (another.prepare('select n from counter').get() as { n: number }).n;
  return { path, connection, another, seenByOthers };
}

const read = ({ database }: SqliteConnection) =>
  (database.prepare('select n from counter').get() as { n: number }).n;
const write = ({ database }: SqliteConnection, n: number) =>
  database.prepare('update counter set n = ?').run(n);

const dispatch = (event: string) => ({
  body: Buffer.from(event),
  deliveries: [newDelivery({ id: event, type: 'x' }, 'a', { at: 1 })],
});

describe('a connection', () => {
  test('has the settings of a store', () => {
    const { connection } = open({ lockTimeoutMs: 70 });
    const setting = (name: string) =>
      Object.values(connection.database.prepare(`pragma ${name}`).get() as object)[0] as unknown;
    const names = ['journal_mode', 'synchronous', 'wal_autocheckpoint', 'foreign_keys', 'temp_store'];
    expect(names.map(setting)).toEqual(['wal', 1, 4_000, 1, 2]);
    expect(setting('busy_timeout')).toBe(70);
  });

  test.for<readonly [unknown, RegExp]>([
    [undefined, /openSqlite takes one object of options \(path, lockTimeoutMs\), not undefined$/],
    [{ path: '' }, /path is empty/],
    [{ path: 'file:x' }, /path is a URI/],
    [{ path: '/no/such/folder/x.db', lockTimeoutMs: -1 }, /lockTimeoutMs is -1: give an integer/],
  ])('with the options %j is refused', ([options, message]) => {
    const refusal = { name: 'OptionError', code: 'invalid_option', message: expect.stringMatching(message) };
    expect(() => openSqlite(options as OpenSqliteOptions)).toThrow(expect.objectContaining(refusal));
  });

  test('that cannot be opened says why', () => {
    expect(() => openSqlite({ path: dirname(newPath()) })).toThrow(
      expect.objectContaining({ code: 'store_unreachable', message: expect.stringContaining('is a folder') }),
    );
  });

  test('in memory is synced at once', async () => {
    const connection = openSqlite({ path: ':memory:' });
    connection.database.exec('create table t (n integer)');
    await connection.sync();
    connection.close();
  });

  test('is closed once: what is asked later rejects', async () => {
    const { connection } = open();
    const closed = openSqlite({ path: newPath() });
    closed.close();
    await expect(closed.sync()).rejects.toMatchObject({ name: 'StoreError', code: 'store_failed' });
    await expect(closed.transaction(() => 1)).rejects.toMatchObject({ code: 'store_failed' });
    await connection.sync();
  });
});

describe('a sync', () => {
  test('of a file that nobody has written to resolves', async () => {
    const connection = openSqlite({ path: newPath() });
    onTestFinished(() => connection.close());
    await connection.sync();
  });

  test('resolves for everybody who asked, however many ask at once', async () => {
    const { connection } = open();
    const all = Array.from({ length: 50 }, (_, n) => {
      write(connection, n);
      return connection.sync();
    });
    expect(await Promise.all(all)).toHaveLength(50);
  });
});

describe('a transaction', () => {
  test('is there for others when it resolves, with the result of its work', async () => {
    const { connection, seenByOthers } = open();
    expect(await connection.transaction(() => write(connection, 7).changes)).toBe(1);
    expect(seenByOthers()).toBe(7);
    expect(await connection.transaction(() => Promise.resolve(read(connection)))).toBe(7);
  });

  test('is committed before the disk has it, and resolves only then', async () => {
    const { connection, seenByOthers } = open();
    let isResolved = false;
    const done = connection.transaction(() => void write(connection, 1)).then(() => (isResolved = true));
    // Microtasks alone: a thread's answer comes with a later turn of the event loop.
    for (let n = 0; n < 100; n++) await Promise.resolve();
    expect(seenByOthers()).toBe(1);
    expect(isResolved).toBe(false);
    await done;
  });

  test.for<readonly [string, (error: Error) => Promise<void>]>([
    [
      'throws',
      (error) => {
        throw error;
      },
    ],
    ['rejects', (error) => Promise.reject(error)],
    ['rejects later', (error) => Promise.resolve().then(() => Promise.reject(error))],
  ])('whose work %s is undone, and rejects with that very error', async ([, fail]) => {
    const { connection, seenByOthers } = open();
    const error = new Error('The host has changed its mind');
    const failing = connection.transaction(() => {
      write(connection, 9);
      return fail(error);
    });
    await expect(failing).rejects.toBe(error);
    expect(seenByOthers()).toBe(0);
    await connection.transaction(() => void write(connection, 2));
    expect(seenByOthers(), 'the next one works').toBe(2);
  });

  test('sees all of the one before, and nothing of a failed one, whatever each waits for', async () => {
    const works = fc.array(fc.record({ waits: fc.nat(5), fails: fc.boolean() }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(works, async (all) => {
        const { connection, seenByOthers } = open();
        const running = all.map(({ waits, fails }) =>
          connection.transaction(async () => {
            const before = read(connection);
            write(connection, before + 100);
            for (let n = 0; n < waits; n++) await Promise.resolve();
            write(connection, before + 1);
            if (fails) throw new Error('failed');
          }),
        );
        const ended = await Promise.allSettled(running);
        expect(ended.map(({ status }) => status === 'rejected')).toEqual(all.map(({ fails }) => fails));
        expect(seenByOthers()).toBe(all.filter(({ fails }) => !fails).length);
      }),
      { numRuns: 30 },
    );
  });

  test('waits for the lock of another connection, while the process goes on', async () => {
    const { connection, another, seenByOthers } = open();
    another.exec('begin immediate');
    let turns = 0;
    const turning = setInterval(() => void turns++, 1);
    onTestFinished(() => clearInterval(turning));
    const written = connection.transaction(() => void write(connection, 3));
    await until(() => turns > 10);
    another.exec('commit');
    await written;
    expect(seenByOthers()).toBe(3);
  });

  test('is told as locked when the lock stays, and its work is not begun', async () => {
    const { connection, another } = open({ lockTimeoutMs: 30 });
    another.exec('begin immediate');
    let isBegun = false;
    const locked = connection.transaction(() => (isBegun = true));
    await expect(locked).rejects.toMatchObject({ name: 'StoreError', code: 'store_locked' });
    expect(isBegun).toBe(false);
    another.exec('rollback');
    expect(await connection.transaction(() => read(connection))).toBe(0);
  });

  test('that its own work has ended is told, not taken for written', async () => {
    const { connection } = open();
    const ended = connection.transaction(() => connection.database.exec('rollback'));
    await expect(ended).rejects.toMatchObject({ name: 'StoreError', code: 'store_failed' });
  });

  test('has the writes of a store in it, or none of them', async () => {
    const { path, connection, seenByOthers } = open();
    const store = openStore({ path });
    const enqueue = (event: string, fails: boolean) =>
      connection.transaction(async () => {
        write(connection, read(connection) + 1);
        expect(await store.enqueue([dispatch(event)], connection.database)).toBe(1);
        if (fails) throw new Error('failed');
      });
    await Promise.allSettled([enqueue('evt_1', false), enqueue('evt_2', true), enqueue('evt_3', false)]);
    expect(seenByOthers()).toBe(2);
    const known = await Promise.all(['evt_1:a', 'evt_2:a', 'evt_3:a'].map((id) => store.get(id)));
    expect(known.map((one) => one !== null)).toEqual([true, false, true]);
  });
});
