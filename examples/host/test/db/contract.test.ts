/** The port of the database: both databases behave alike. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../src/db/index.js';
import { MIGRATION_LOCK } from '../../src/db/postgres.js';
import { stepsFor } from '../../src/db/schema.js';
import { databases } from './databases.js';

const SELECT_ALL = 'select id, at, after from audit_log order by id';

const entry = (id: string, at: number, after: string | null = null) => ({
  ...{ id, project_id: 'p', at, actor: 'service', action: 'a', resource: 'r', before: null, after },
});

function failing(): never {
  throw new Error('cannot be sent');
}

describe.each(databases())('$name', ({ open, create }) => {
  test('rows come out as they went in, in the order of the bytes of their ids', async () => {
    const db = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.record({
            id: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter((id) => !id.includes('\0')),
            at: fc.maxSafeInteger(),
            after: fc.option(fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text))),
          }),
          { selector: ({ id }) => id, maxLength: 20 },
        ),
        async (rows) => {
          await db.run('delete from audit_log');
          expect(
            await db.insert(
              'audit_log',
              rows.map((row) => entry(row.id, row.at, row.after)),
            ),
          ).toBe(rows.length);
          const byBytes = [...rows].sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
          expect((await db.all(SELECT_ALL)).map((row) => ({ ...row }))).toEqual(byBytes);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('the event loop turns while thousands of rows are inserted', async () => {
    const db = await open();
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    const rows = Array.from({ length: 5_000 }, (_, i) => entry(`row-${i}`, i));
    await db.transaction((tx) => {
      count();
      return tx.insert('audit_log', rows);
    });
    isOver = true;
    expect(turns).toBeGreaterThan(5);
  });

  test('the macros make tables and lists of JSON', async () => {
    const db = await open();
    await db.insert('audit_log', [entry('a', 1), entry('b', 2), entry('c', 3)]);
    const rows = JSON.stringify([
      { id: 'a', at: 10 },
      { id: 'c', at: 9_007_199_254_740_991 },
      { id: 'nobody', at: 5 },
    ]);
    const changed = await db.transaction((tx) =>
      tx.all<{ id: string }>(
        'update audit_log set at = rows.at from {rows $1: id text, at int} where audit_log.id = rows.id returning audit_log.id',
        [rows],
      ),
    );
    expect(changed.map(({ id }) => id).sort()).toEqual(['a', 'c']);
    const named = await db.all<{ id: string; at: number }>(
      'select id, at from audit_log where id in {list $1} order by id',
      [JSON.stringify(['c', 'a', 'it\'s "'])],
    );
    expect(named.map(({ at }) => at)).toEqual([10, 9_007_199_254_740_991]);
  });

  test('a transaction that throws leaves nothing', async () => {
    const db = await open();
    const failed = db.transaction(async (tx) => {
      await tx.insert('audit_log', [entry('a', 1)]);
      throw new Error('on purpose');
    });
    await expect(failed).rejects.toThrow('on purpose');
    expect(await db.all(SELECT_ALL)).toEqual([]);
  });

  test('concurrent transactions on one row do not lose updates', async () => {
    const connect = create();
    const processes = [await connect(), await connect()];
    await processes[0]!.insert('audit_log', [entry('a', 0)]);
    const increments = Array.from({ length: 40 }, (_, i) =>
      processes[i % 2]!.transaction(async (tx) => {
        const row = await tx.get<{ at: number }>(
          'update audit_log set at = at + 1 where id = $1 returning at',
          ['a'],
        );
        return row!.at;
      }),
    );
    const seen = await Promise.all(increments);
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  });

  test('statements that go together run in their order, and in the transaction', async () => {
    const db = await open();
    await db.transaction(async (tx) => {
      await tx.together([
        () => tx.insert('audit_log', [entry('a', 1)]),
        () => tx.run('update audit_log set at = at + 1 where id = $1', ['a']),
        () => tx.run('update audit_log set at = at * 10 where id = $1', ['a']),
      ]);
      await tx.together([]);
    });
    expect((await db.all<{ at: number }>(SELECT_ALL)).map(({ at }) => at)).toEqual([20]);
  });

  test('statements that go together answer in their order', async () => {
    const db = await open();
    const [inserted, found] = await db.transaction((tx) =>
      tx.together<[number, readonly { id: string }[]]>([
        () => tx.insert('audit_log', [entry('a', 1), entry('b', 2)]),
        () => tx.all('select id from audit_log order by id'),
      ]),
    );
    expect([inserted, found.map(({ id }) => id)]).toEqual([2, ['a', 'b']]);
  });

  test('statements before the commit run in their order, behind all others', async () => {
    const db = await open();
    await db.transaction(async (tx) => {
      tx.beforeCommit([
        () => tx.run('update audit_log set at = at + 1 where id = $1', ['a']),
        () => tx.run('update audit_log set at = at * 10 where id = $1', ['a']),
      ]);
      await tx.insert('audit_log', [entry('a', 1)]);
    });
    expect((await db.all<{ at: number }>(SELECT_ALL)).map(({ at }) => at)).toEqual([20]);
  });

  test.each([
    ['is refused', (tx: Transaction) => tx.insert('audit_log', [entry('taken', 2)]), /unique/i],
    ['cannot be sent', () => failing(), /cannot be sent/],
  ])(
    'where one statement before the commit %s, its own error is thrown and nothing is kept',
    async (_, statement, error) => {
      const db = await open();
      await db.insert('audit_log', [entry('taken', 1)]);
      const work = db.transaction((tx) => {
        tx.beforeCommit([
          () => tx.insert('audit_log', [entry('before', 2)]),
          () => statement(tx),
          () => tx.insert('audit_log', [entry('behind', 2)]),
        ]);
        return Promise.resolve();
      });
      await expect(work).rejects.toThrow(error);
      await db.insert('audit_log', [entry('later', 3)]);
      const ids = (await db.all<{ id: string }>(SELECT_ALL)).map(({ id }) => id);
      expect(ids).toEqual(['later', 'taken']);
    },
  );

  test.each([0, 1, 2, 3])(
    'where statement %i of those that go together fails, its own error is thrown and nothing is kept',
    async (nth) => {
      const db = await open();
      await db.insert('audit_log', [entry('taken', 1)]);
      const statements = ['a', 'b', 'c', 'd'].map((id, i) => entry(i === nth ? 'taken' : id, 2));
      const work = db.transaction((tx) =>
        tx.together(statements.map((row) => () => tx.insert('audit_log', [row]))),
      );
      await expect(work).rejects.toThrow(/unique/i);
      await db.insert('audit_log', [entry('later', 3)]);
      const ids = (await db.all<{ id: string }>(SELECT_ALL)).map(({ id }) => id);
      expect(ids).toEqual(['later', 'taken']);
    },
  );

  test('what a transaction told is heard once it has committed, and not when it failed', async () => {
    const db = await open();
    const heard: string[] = [];
    db.listen('rules', (project) => heard.push(project));
    await expect.poll(() => db.notify('rules', 'warm').then(() => heard.length)).toBeGreaterThan(0);
    heard.length = 0;
    await db
      .transaction(async (tx) => {
        await tx.notify('rules', 'failed');
        throw new Error('on purpose');
      })
      .catch(() => undefined);
    await db.transaction((tx) => tx.notify('rules', 'project'));
    await expect.poll(() => heard.filter((one) => one !== 'warm')).toContain('project');
    await sleep(50);
    expect(heard).not.toContain('failed');
  });

  test('opening twice at once makes the tables once', async () => {
    const connect = create();
    const both = await Promise.all([connect(), connect()]);
    const version = stepsFor('sqlite').length;
    for (const db of both) expect(await db.all('select version from host_version')).toEqual([{ version }]);
  });
});

test('a process that waits while another one makes the schema starts', async () => {
  const postgres = databases().find(({ name }) => name === 'Postgres')!;
  const connect = postgres.create();
  const { postgres: connectionString, schema } = connect.options as { postgres: string; schema: string };
  const other = new pg.Client({ connectionString });
  await other.connect();
  try {
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const opening = connect();
    const waiting = `select count(*)::int as waiting from pg_locks
      where locktype = 'advisory' and not granted and objid = ${MIGRATION_LOCK}
        and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(async () => (await other.query(waiting)).rows).toEqual([{ waiting: 1 }]);
    await other.query(`create schema ${schema}`);
    await other.query('commit');
    const db = await opening;
    expect(await db.all('select version from host_version')).toHaveLength(1);
  } finally {
    await other.end();
  }
});
