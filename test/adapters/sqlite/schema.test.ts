/** Making the tables, and bringing them up to date. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createSqliteStore } from '../../../src/adapters/sqlite/index.js';
import { connect, newPath } from './files.js';

const source = new URL('../../../src/adapters/sqlite/index.ts', import.meta.url).href;

/** Opens a store in a process of its own; gives its exit code. */
async function openElsewhere(path: string): Promise<unknown> {
  const script = `import { createSqliteStore } from '${source}'; createSqliteStore({ path: ${JSON.stringify(path)} }).close();`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [unknown];
  return code;
}

describe('the tables', () => {
  test('are made once, however many processes open the file at the same moment', async () => {
    const path = newPath();
    expect(await Promise.all([1, 2, 3, 4].map(() => openElsewhere(path)))).toEqual([0, 0, 0, 0]);
    const versions = connect(path).prepare('select version from headgate_migrations').all();
    expect(versions).toEqual([{ version: 1 }, { version: 2 }]);
  });

  test('may stand beside others', () => {
    const path = newPath();
    connect(path).exec('create table deliveries (id text); create table migrations (id text)');
    createSqliteStore({ path }).close();
  });

  test('of a later version are left alone', () => {
    const path = newPath();
    createSqliteStore({ path }).close();
    connect(path).exec('insert into headgate_migrations (version) values (99)');
    expect(() => createSqliteStore({ path })).toThrow(
      expect.objectContaining({
        code: 'store_outdated',
        message: expect.stringContaining('update headgate'),
      }),
    );
  });
});
