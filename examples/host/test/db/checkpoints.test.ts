/** The log of SQLite: a thread moves it into the file, so that no commit has to. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from 'headgate/sqlite';
import { openDatabase } from '../../src/db/index.js';

test('what was committed comes into the file before SQLite would move it in a commit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-host-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'host.db');
  const db = await openDatabase({ sqlite: path });
  const size = (file: string): number => statSync(file).size;
  const empty = size(path);
  const data = 'x'.repeat(1_048_576);
  for (let i = 0; i < 8; i++) {
    await db.insert('event_payloads', [
      { event_id: `evt_${i}`, channel_name: null, data, raw_payload: null },
    ]);
  }
  // 8 MiB are half of the length at which SQLite would do it.
  await expect.poll(() => size(path) - empty).toBeGreaterThan(3_000_000);
  expect(size(`${path}-wal`)).toBeLessThan(12_000_000);
  await db.close();
});

test('the log is short again once a reader ends that has kept it, though nothing more is written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-host-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'host.db');
  const db = await openDatabase({ sqlite: path });
  const { database: reader, close } = openSqlite({ path });
  reader.exec('begin');
  reader.prepare('select count(*) as count from event_payloads').get();
  const data = 'x'.repeat(1_048_576);
  for (let i = 0; i < 40; i++) {
    await db.insert('event_payloads', [
      { event_id: `evt_${i}`, channel_name: null, data, raw_payload: null },
    ]);
  }
  const size = (): number => statSync(`${path}-wal`).size;
  expect(size()).toBeGreaterThan(40_000_000);
  reader.exec('commit');
  await expect.poll(size).toBeLessThanOrEqual(16 * 1_048_576);
  const count = reader.prepare('select count(*) as count from event_payloads').get();
  expect(count).toEqual({ count: 40 });
  close();
  await db.close();
});
