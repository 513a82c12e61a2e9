/** Opening of database files. */
import { existsSync, mkdirSync, statSync, chmodSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createSqliteStore, type SqliteStoreOptions } from '../../../src/adapters/sqlite/index.js';
import { newDelivery } from '../../../src/delivery/index.js';
import { connect, makeTables, newPath, openStore } from './files.js';

const refusal = (message: RegExp) =>
  expect.objectContaining({
    name: 'OptionError',
    code: 'invalid_option',
    message: expect.stringMatching(message),
  });
const dispatch = {
  body: Buffer.from('x'),
  deliveries: [newDelivery({ id: 'evt_1', type: 'x' }, 'a', { at: 1 })],
};

describe('what would be gone with the process is refused', () => {
  test.for([
    ...['', ' ', '\n', '\0', 'a\0b', ':MEMORY:', ' :memory:', ':memory: ', ':temp:'],
    ...[
      'file:',
      'file::memory:',
      'file:x?mode=memory',
      'file:x?mode=memory&cache=shared',
      'FILE:x',
      ' file:x',
    ],
    ...[pathToFileURL('/tmp/x.db').href],
  ])('a path of %j', (path) => {
    const before = existsSync(path.trim() === '' || path.includes('\0') ? '/no' : path);
    expect(() => createSqliteStore({ path })).toThrow(refusal(/^path .*give the path of a file/));
    expect(existsSync(path.includes('\0') ? '/no' : path || '/no')).toBe(before);
  });
});

describe('options are refused', () => {
  const path = '/no/such/folder/x.db';
  test.for<readonly [unknown, RegExp]>([
    [
      undefined,
      /createSqliteStore takes one object of options \(path, lockTimeoutMs, columns, onEnqueue, onSettle, keepUrl, keepExchange, readBodies\), not undefined$/,
    ],
    [{}, /path is undefined: give the path/],
    [{ path: null }, /path is null: give the path/],
    [{ path: 7 }, /path is 7: give the path/],
    [{ path: Buffer.from(path) }, /path is a Uint8Array: give the path/],
    [{ path: pathToFileURL(path) }, /path is a URL: give the path/],
    [{ path, lockTimeoutMs: '5' }, /lockTimeoutMs is a string: give an integer/],
    [{ path, lockTimeoutMs: 2 ** 31 }, /lockTimeoutMs is 2147483648: give an integer/],
    [{ path, lockTimeoutMs: Infinity }, /lockTimeoutMs is Infinity/],
  ])('%j, in words', ([options, message]) => {
    expect(() => createSqliteStore(options as SqliteStoreOptions)).toThrow(refusal(message));
  });

  test('something that is not a connection', async () => {
    const store = openStore();
    for (const host of [null, {}, 'x', { query: () => undefined }]) {
      const calls = [
        () => store.enqueue([dispatch], host as never),
        () => store.settle([], host as never),
        () => store.deadLetters.redeliver({}, { at: 1, replay: 'x' }, host as never),
        () => store.deadLetters.discard({ all: true }, host as never),
        () => store.deleteDeliveries([], {}, host as never),
      ];
      for (const call of calls) await expect(call()).rejects.toThrow(refusal(/^database is .*give/));
    }
  });
});

describe('what cannot be opened says why', () => {
  const unreachable = (message: RegExp) =>
    expect.objectContaining({
      ...{ name: 'StoreError', code: 'store_unreachable', cause: expect.any(Error) },
      message: expect.stringMatching(message),
    });

  test('a folder', () => {
    const path = dirname(newPath());
    expect(() => createSqliteStore({ path })).toThrow(
      unreachable(/is a folder: give the path of a file in it/),
    );
  });

  test('a folder that is not there', () => {
    const path = join(dirname(newPath()), 'not there', 'deliveries.db');
    expect(() => createSqliteStore({ path })).toThrow(unreachable(/does not exist: make the folder first/));
  });

  test('a folder that is a file', () => {
    const folder = newPath();
    writeFileSync(folder, '');
    expect(() => createSqliteStore({ path: join(folder, 'x.db') })).toThrow(unreachable(/does not exist/));
  });

  test('a file that may not be written, unless the process may write everything', () => {
    const path = newPath();
    createSqliteStore({ path }).close();
    chmodSync(path, 0o444);
    if (process.getuid?.() === 0) createSqliteStore({ path }).close();
    else {
      expect(() => createSqliteStore({ path })).toThrow(unreachable(/give this process the right to write/));
    }
    expect(statSync(path).mode & 0o222).toBe(0);
  });

  test('a database that may only be read, once something is written', async () => {
    const path = newPath();
    const store = openStore({ path });
    const host = connect(path);
    host.exec('pragma query_only = 1');
    await expect(store.enqueue([dispatch], host)).rejects.toThrow(
      expect.objectContaining({ code: 'store_unreachable', message: expect.stringContaining('written') }),
    );
  });
});

describe('a file whose tables are up to date', () => {
  test('opens at once while another connection writes, and waits for nobody', async () => {
    const path = newPath();
    createSqliteStore({ path }).close();
    const host = connect(path);
    host.exec("begin immediate; insert into headgate_bodies values (9, 'x', x'', 1, x'')");
    const before = process.cpuUsage();
    const startedAt = performance.now();
    const store = openStore({ path, lockTimeoutMs: 60_000 });
    expect(performance.now() - startedAt, 'a hundred times what it takes').toBeLessThan(5_000);
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
    expect(await store.get('evt_1:a'), 'and reads').toBeNull();
    host.exec('rollback');
    expect(await store.enqueue([dispatch])).toBe(1);
  });

  test('takes no lock: one that gives no time at all opens it', () => {
    const path = newPath();
    createSqliteStore({ path }).close();
    connect(path).exec('begin immediate');
    createSqliteStore({ path, lockTimeoutMs: 0 }).close();
  });

  test('is not migrated while somebody writes, and that is told as locked', () => {
    const path = newPath();
    const host = connect(path);
    makeTables(host, 1);
    host.exec('begin immediate');
    const open = () => createSqliteStore({ path, lockTimeoutMs: 20 });
    expect(open).toThrow(expect.objectContaining({ code: 'store_locked' }));
    host.exec('commit');
    open().close();
  });
});

test('tables of version 1 are brought up to date with what waits in them', async () => {
  const path = newPath();
  const host = connect(path);
  makeTables(host, 1);
  host.exec(`insert into headgate_bodies values (1, 'evt_1', x'00', 1, x'78');
    insert into headgate_deliveries (id, event_id, event_type, endpoint_id, origin, state, due_at, created_at, body)
      values ('evt_1:a', 'evt_1', 'x', 'a', 'live', 'pending', 1, 1, 1)`);
  const store = openStore({ path });
  await store.enqueue([
    { body: Buffer.alloc(50), deliveries: [{ ...dispatch.deliveries[0]!, id: 'b', endpoint_id: 'b' }] },
  ]);
  const bytes = { max: 50, perEndpoint: 50, inFlight: 0, inFlightByEndpoint: new Map() };
  const request = { lease: 'l', at: 9, until: 99, limit: 9, perEndpoint: 9, inFlight: new Map(), bytes };
  const { claims } = await store.claim(request);
  expect(
    claims.map(({ body }) => body.length),
    'the old body weighs a byte, the new one has no room beside it',
  ).toEqual([1]);
});

test('a folder that is made is enough', () => {
  const path = join(dirname(newPath()), 'new', 'x.db');
  mkdirSync(dirname(path));
  createSqliteStore({ path }).close();
  expect(existsSync(path)).toBe(true);
});
