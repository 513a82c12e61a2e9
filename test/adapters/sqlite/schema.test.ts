/** Making the tables, and bringing them up to date. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createSqliteStore } from '../../../src/adapters/sqlite/index.js';
import { connect, makeTables, newPath, openStore } from './files.js';

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
    expect(versions).toEqual([1, 2, 3, 4, 5, 6].map((version) => ({ version })));
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

  test('of version 2 get a row for each attempt in their histories, and lose lines that are damaged', async () => {
    const path = newPath();
    const host = connect(path);
    makeTables(host, 2);
    const failed = { ok: false, failure: 'timeout', transient: false, detail: 'é\\ \n' };
    const attempts = [
      { number: 1, started_at: 5, ended_at: 6, outcome: { ...failed, status: 503, retry_after_seconds: 9 } },
      { number: 2, started_at: 7, ended_at: 8, outcome: { ...failed, detail: 'a\0b\ud800' } },
      { number: 3, started_at: 9, ended_at: 9, outcome: { ok: true, status: 204 } },
    ];
    const line = (one: unknown): string => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`;
    const histories = {
      whole: attempts,
      broken: [attempts[0], 'half a li', null, 5, {}, { number: 2 }, attempts[2]],
      new: [],
    };
    host.exec("insert into headgate_bodies values (1, 'evt', x'00', 1, x'78')");
    const add = host.prepare(`insert into headgate_deliveries
      (id, event_id, event_type, endpoint_id, origin, state, attempts, due_at, created_at, body, body_bytes, history)
      values (?, 'evt', 'x', 'a', 'live', 'pending', ?, 1, 1, 1, 1, ?)`);
    for (const [id, lines] of Object.entries(histories)) {
      add.run(id, Math.min(lines.length, 3), lines.map(line).join(''));
    }
    const store = openStore({ path });
    const detail = { detail: 'a\uFFFDb\uFFFD' };
    const read = [
      attempts[0],
      { ...attempts[1], outcome: { ...attempts[1]!.outcome, ...detail } },
      attempts[2],
    ];
    expect((await store.get('whole'))?.attempts).toEqual(read);
    expect((await store.get('broken'))?.attempts).toEqual([read[0], read[2]]);
    expect((await store.get('new'))?.attempts).toEqual([]);
    expect(host.prepare('select failure, status from headgate_deliveries order by id').all()).toEqual([
      { failure: null, status: 204 },
      { failure: null, status: null },
      { failure: null, status: 204 },
    ]);
    const request = {
      lease: 'l',
      at: 9,
      until: 99,
      limit: 9,
      perEndpoint: 9,
      inFlight: new Map<string, number>(),
    };
    const { claims } = await store.claim(request);
    expect(
      claims.map(({ delivery, body }) => [delivery.id, delivery.last_attempt, body.length]).toSorted(),
    ).toEqual([
      ['broken', read[2], 1],
      ['new', null, 1],
      ['whole', read[2], 1],
    ]);
  });

  test('get the columns of the user, once, and no other type', () => {
    const path = newPath();
    const open = (columns: Record<string, 'text' | 'integer'>) =>
      createSqliteStore({ path, columns }).close();
    open({ tenant_id: 'text' });
    open({ tenant_id: 'text', size: 'integer' });
    open({});
    expect(() => open({ size: 'text' })).toThrow(expect.objectContaining({ code: 'invalid_option' }));
    for (const columns of [{ state: 'text' }, { Tenant: 'text' }, { a: 'json' }, { 'a b': 'text' }, []]) {
      expect(() => open(columns as Record<string, 'text'>)).toThrow(
        expect.objectContaining({ code: 'invalid_option' }),
      );
    }
  });
});
