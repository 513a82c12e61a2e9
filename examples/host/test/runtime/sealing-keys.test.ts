/** Secrets whose keys are missing: the service refuses to start, and says which keys and where they belong. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { assertKeysFit, UnreadableSecrets } from '../../src/channels/key-check.js';
import { openDatabase } from '../../src/db/index.js';
import { readConfig } from '../../src/runtime/config.js';
import { createLog } from '../../src/runtime/log.js';
import { openStore } from '../../src/store.js';
import { databases } from '../db/databases.js';
import { hostOn } from '../world.js';
import { newFolder } from './service.js';

const key = (id: string, key = randomBytes(32)) => ({ id, key });
const written = ({ id, key: bytes }: ReturnType<typeof key>): string => `${id}:${bytes.toString('base64')}`;
const SILENT = createLog('silent');

/** The key of `hostOn`. */
const TEST_KEY = key('test', Buffer.alloc(32, 7));

describe.each(databases())('a database on $name', ({ open, create }) => {
  test('every secret is counted by the key that is missing, whatever table it is in', async () => {
    const db = await open();
    const host = await hostOn(db);
    const source = { name: 'github', secrets: ['a secret of GitHub'] };
    await host.channel({ source });
    await host.channel();
    await host.stop();
    await expect(assertKeysFit(db, [key('other')], 'Do this.')).rejects.toThrow(
      /^the secrets in the database cannot be read:\n {2}the key test is missing, which sealed 4 secrets\nDo this\.$/,
    );
    await expect(assertKeysFit(db, [], '')).rejects.toThrow(UnreadableSecrets);
    await expect(assertKeysFit(db, [key('test')], '')).rejects.toThrow('the key test has another value');
    expect(await assertKeysFit(db, [key('new'), TEST_KEY], '')).toBe(0);
    // From now on the right key is known, so what it does not open is damaged.
    await db.run(
      `update signing_secrets set sealed = 'v1.test.' || substr(sealed, 9, 20) || 'xx' || substr(sealed, 31)`,
    );
    expect(await assertKeysFit(db, [TEST_KEY], '')).toBe(3);
  });

  test('of two processes that start on an empty database with keys of one id, one goes on', async () => {
    const connect = create();
    const [one, two] = [await connect(), await connect()];
    const starts = await Promise.allSettled([
      assertKeysFit(one, [key('k1')], ''),
      assertKeysFit(two, [key('k1')], ''),
    ]);
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('without secrets, a key may be replaced by one of another id', async () => {
    const db = await open();
    expect(await assertKeysFit(db, [key('k1')], '')).toBe(0);
    expect(await assertKeysFit(db, [key('k2')], '')).toBe(0);
    await expect(assertKeysFit(db, [key('k1')], '')).rejects.toThrow(
      'the key k1 has another value than the one that sealed secrets of another process',
    );
  });
});

describe('the data folder', () => {
  const store = async (environment: Readonly<Record<string, string>>) => {
    const opened = await openStore(readConfig(environment), SILENT);
    onTestFinished(() => opened.db.close());
    return opened;
  };
  /** A folder with a database that has a secret; the service has ended. */
  const used = async (): Promise<string> => {
    const folder = newFolder();
    const { db, keys } = await openStore(readConfig({ HEADGATE_DATA: folder }), SILENT);
    const host = await hostOn(db, {}, undefined, 0, { sealingKeys: keys });
    await host.channel();
    await host.stop();
    await db.close();
    return folder;
  };

  test('a database whose key file is gone is refused, and no other is made', async () => {
    const folder = await used();
    const [path, kept] = [join(folder, 'sealing-keys'), join(folder, 'kept')];
    const [id = ''] = readFileSync(path, 'utf8').split(':');
    renameSync(path, kept);
    await expect(store({ HEADGATE_DATA: folder })).rejects.toThrow(
      new RegExp(`the key ${id} is missing, which sealed 2 secrets\\nPut ${path} back from its backup`),
    );
    expect(existsSync(path)).toBe(false);
    const given = { HEADGATE_DATA: folder, HEADGATE_SEALING_KEYS: written(key('k2')) };
    await expect(store(given)).rejects.toThrow(`the key ${id} is missing`);
    // The cure that the message names.
    const both = `${given.HEADGATE_SEALING_KEYS},${readFileSync(kept, 'utf8').trim()}`;
    expect((await store({ ...given, HEADGATE_SEALING_KEYS: both })).keys).toHaveLength(2);
  });

  test('a key that is lost for good is given up as docs/host.md says', async () => {
    const folder = await used();
    const path = join(folder, 'sealing-keys');
    const [id = ''] = readFileSync(path, 'utf8').split(':');
    renameSync(path, join(folder, 'lost'));
    const docs = readFileSync(join(import.meta.dirname, '../../../../docs/host.md'), 'utf8');
    const [, sql = ''] = /A lost key[\s\S]*?```sql\n([\s\S]*?)```/.exec(docs) ?? [];
    expect(sql).toContain('signing_secrets');
    const db = await openDatabase({ sqlite: join(folder, 'headgate.db') });
    const statements = sql.replaceAll('k1', id).split(';');
    for (const statement of statements.filter((one) => one.trim() !== '')) await db.run(statement);
    await db.close();
    expect((await store({ HEADGATE_DATA: folder })).keys).toHaveLength(1);
  });

  test('a damaged key file is named', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'sealing-keys'), 'k1:short');
    await expect(store({ HEADGATE_DATA: folder })).rejects.toThrow(
      /sealing-keys: entry 1 has a key of \d+ bytes/,
    );
  });

  test('its files are their owner’s alone, also in a folder that others may read', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o755);
    const modes = () =>
      Object.fromEntries(
        readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
      );
    const files = ['headgate.db', 'headgate.db-shm', 'headgate.db-wal', 'sealing-keys'];
    const closed = Object.fromEntries(files.map((name) => [name, '600']));
    const { db } = await openStore(readConfig({ HEADGATE_DATA: folder }), SILENT);
    await db.run(`insert into leases (name, holder, until) values ('a', 'b', 0)`);
    expect(modes()).toEqual(closed);
    for (const name of files) chmodSync(join(folder, name), 0o664);
    await store({ HEADGATE_DATA: folder });
    expect(modes()).toEqual(closed);
    expect(statSync(folder).mode & 0o777).toBe(0o755);
    await db.close();
    const made = join(newFolder(), 'data');
    await store({ HEADGATE_DATA: made });
    expect(statSync(made).mode & 0o777).toBe(0o700);
  });
});
