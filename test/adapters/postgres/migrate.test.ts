/** Making the tables, also from many processes at once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type pg from 'pg';
import { createPostgresStore, postgresMigrations, StoreError } from '../../../src/adapters/postgres/index.js';
import type { Claim, ClaimRequest, ClaimResult, Settlement } from '../../../src/delivery/index.js';
import { createPool, quoted, schemaName } from './schema.js';

let pool: pg.Pool;
beforeAll(() => void (pool = createPool({ max: 8 })));
afterAll(() => pool.end());

const latest = postgresMigrations().length;
const versions = async (schema: string): Promise<number[]> => {
  const { rows } = await pool.query(`select version from ${quoted(schema)}.migrations order by version`);
  return rows.map(({ version }) => version as number);
};
const drop = (schema: string) => pool.query(`drop schema ${quoted(schema)} cascade`);
const expected = Array.from({ length: latest }, (_, i) => i + 1);

const NOW = 1_700_000_000_000;
const claimOf = (lease: string, at: number): ClaimRequest => ({
  ...{ lease, at, until: at + 30_000, limit: 10, perEndpoint: 10 },
  inFlight: new Map(),
});
const idsOf = ({ claims }: ClaimResult) => claims.map(({ delivery }) => delivery.id);

/** The end of a lease after a success. */
function deliveredNow({ delivery }: Claim): Settlement {
  const outcome = { ok: true, status: 204 } as const;
  const attempt = { number: delivery.attempts + 1, started_at: NOW, ended_at: NOW, outcome };
  const over = { state: 'delivered', due_at: null, lease: null, finished_at: NOW } as const;
  const record = { ...delivery, ...over, attempts: attempt.number, last_attempt: attempt };
  return { lease: delivery.lease ?? '', delivery: record, attempt };
}

/** Makes the tables of version 3, with a delivery in every state; one is older than version 2, and has no size. */
async function fillVersion3(schema: string): Promise<void> {
  for (const { sql } of postgresMigrations(schema).slice(0, 3)) await pool.query(`begin; ${sql}; commit`);
  const name = quoted(schema);
  await pool.query(`
    insert into ${name}.bodies (created_at, event_id, digest, bytes) values (1, 'evt', '', 'body');
    insert into ${name}.deliveries
      (id, state, due_at, lease, finished_at, dead_letter, body_bytes, event_id, event_type, endpoint_id, origin,
        created_at, body)
    select t.*, 'evt', 'x', 'a', 'live', 1, bodies.id from ${name}.bodies, (values
      ('pending:a', 'pending', ${NOW - 5}, null, null::bigint, false, 4),
      ('due later:a', 'pending', ${NOW + 10}, null, null, false, null),
      ('lease ended:a', 'leased', ${NOW - 1}, 'gone', null, false, 4),
      ('leased:a', 'leased', ${NOW + 20}, 'held', null, false, 4),
      ('delivered:a', 'delivered', null, null, ${NOW - 9}, false, 4),
      ('dead:a', 'failed', null, null, ${NOW - 8}, true, 4)
    ) as t`);
}

describe('migrate', () => {
  test('makes the tables once, however many processes start at once', async () => {
    for (let round = 0; round < 4; round++) {
      const schema = schemaName();
      const stores = Array.from({ length: 8 }, () => createPostgresStore({ pool, schema }));
      await Promise.all(stores.map((store) => store.migrate()));
      expect(await versions(schema)).toEqual(expected);
      await Promise.all(stores.map((store) => store.migrate()));
      expect(await versions(schema)).toEqual(expected);
      await drop(schema);
    }
  });

  test('makes the tables once, also if the search path names their schema', async () => {
    for (let round = 0; round < 4; round++) {
      const schema = `headgate_${crypto.randomUUID().replaceAll('-', '_')}`;
      const pools = [1, 2, 3].map(() => createPool({ max: 1, options: `-c search_path=${schema}` }));
      await Promise.all(pools.map((one) => one.query("select to_regclass('nothing')")));
      await Promise.all(pools.map((one) => createPostgresStore({ pool: one, schema }).migrate()));
      expect(await versions(schema)).toEqual(expected);
      await Promise.all(pools.map((one) => one.end()));
      await drop(schema);
    }
  });

  test('leaves alone what is there', async () => {
    const schema = schemaName();
    const store = createPostgresStore({ pool, schema });
    await store.migrate();
    await pool.query(
      `insert into ${quoted(schema)}.bodies (created_at, event_id, digest, bytes) values (1, '', '', '')`,
    );
    await store.migrate();
    const { rowCount } = await pool.query(`select from ${quoted(schema)}.bodies`);
    expect(rowCount).toBe(1);
    await drop(schema);
  });

  test('brings tables of version 3 up to date, with deliveries in every state, and they are claimed', async () => {
    const schema = schemaName();
    await fillVersion3(schema);
    const store = createPostgresStore({ pool, schema });
    await expect(store.claim(claimOf('early', NOW))).rejects.toMatchObject({ code: 'store_outdated' });
    await store.migrate();
    expect(await versions(schema)).toEqual(expected);

    const first = await store.claim(claimOf('first', NOW));
    expect(idsOf(first).toSorted()).toEqual(['lease ended:a', 'pending:a']);
    expect(first.nextDueAt).toBe(NOW + 10);
    expect(first.claims.map(({ body }) => Buffer.from(body).toString())).toEqual(['body', 'body']);
    const second = await store.claim(claimOf('second', NOW + 20));
    expect(idsOf(second)).toEqual(['due later:a', 'leased:a']);
    expect(second.nextDueAt).toBe(NOW + 30_000);

    const settlements = [...first.claims, ...second.claims].map((one) => deliveredNow(one));
    expect(await store.settle(settlements)).toEqual([true, true, true, true]);
    expect(await store.deadLetters.redeliver({}, { at: NOW + 30, replay: 'again' })).toBe(1);
    expect(idsOf(await store.claim(claimOf('third', NOW + 99_999)))).toEqual([
      expect.stringContaining('again'),
    ]);
    expect(await store.claim(claimOf('last', NOW + 99_999))).toMatchObject({ claims: [] });
    await drop(schema);
  });

  test('makes a row of each attempt in the histories of version 4, and leaves out lines that are damaged', async () => {
    const schema = schemaName();
    for (const { sql } of postgresMigrations(schema).slice(0, 4)) await pool.query(`begin; ${sql}; commit`);
    const name = quoted(schema);
    const failed = {
      ok: false,
      failure: 'http_status',
      status: 503,
      transient: true,
      detail: 'é😀 \\ \n',
      retry_after_seconds: 9,
    };
    const attempts = [
      { number: 1, started_at: NOW, ended_at: NOW + 1, outcome: failed },
      {
        number: 2,
        started_at: NOW + 5,
        ended_at: NOW + 6,
        outcome: { ok: false, failure: 'timeout', transient: false, detail: 'a\0b\ud800' },
      },
      { number: 3, started_at: NOW + 8, ended_at: NOW + 9, outcome: { ok: true, status: 204 } },
    ];
    const histories = [
      ['whole', 3, attempts],
      ['retried', 1, attempts.slice(0, 1)],
      ['broken', 3, [attempts[0], 'half a li', null, 5, {}, { number: 2 }, attempts[2]]],
      ['new', 0, []],
    ] as const;
    await pool.query(
      `insert into ${name}.bodies (created_at, event_id, digest, bytes) values (1, 'evt', '', 'body')`,
    );
    for (const [id, count, lines] of histories) {
      const history = lines.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');
      await pool.query(
        `insert into ${name}.deliveries (id, state, due_at, attempts, history, event_id, event_type, endpoint_id, origin, created_at, body)
         select $1, 'pending', ${NOW}, $2, $3, 'evt', 'x', 'a', 'live', 1, id from ${name}.bodies`,
        [id, count, history],
      );
    }
    const store = createPostgresStore({ pool, schema });
    await store.migrate();
    const read = [
      attempts[0],
      { ...attempts[1], outcome: { ...attempts[1]!.outcome, detail: 'a\uFFFDb\uFFFD' } },
      attempts[2],
    ];
    expect((await store.get('whole'))?.attempts).toEqual(read);
    expect((await store.get('retried'))?.attempts).toEqual(read.slice(0, 1));
    expect((await store.get('broken'))?.attempts).toEqual([read[0], read[2]]);
    expect((await store.get('new'))?.attempts).toEqual([]);
    const { rows } = await pool.query(`select id, failure, status from ${name}.deliveries order by id`);
    expect(rows).toEqual([
      { id: 'broken', failure: null, status: 204 },
      { id: 'new', failure: null, status: null },
      { id: 'retried', failure: 'http_status', status: 503 },
      { id: 'whole', failure: null, status: 204 },
    ]);
    const { claims } = await store.claim(claimOf('next', NOW));
    expect(claims.map(({ delivery }) => [delivery.id, delivery.last_attempt]).toSorted()).toEqual([
      ['broken', read[2]],
      ['new', null],
      ['retried', read[0]],
      ['whole', read[2]],
    ]);
    await drop(schema);
  });

  test('adds the columns of the user, once, and refuses another type', async () => {
    const schema = schemaName();
    const make = (columns: Record<string, 'text' | 'integer'>) =>
      createPostgresStore({ pool, schema, columns });
    await make({}).migrate();
    await make({ tenant_id: 'text' }).migrate();
    await make({ tenant_id: 'text', size: 'integer' }).migrate();
    await Promise.all([1, 2, 3].map(() => make({ size: 'integer', more: 'integer' }).migrate()));
    await expect(make({ size: 'text' }).migrate()).rejects.toMatchObject({ code: 'invalid_option' });
    for (const columns of [
      { state: 'text' },
      { Tenant: 'text' },
      { a: 'json' },
      { 'a b': 'text' },
      { a: null },
      [],
    ]) {
      expect(() => make(columns as Record<string, 'text'>)).toThrow(
        expect.objectContaining({ code: 'invalid_option' }),
      );
    }
    await drop(schema);
  });

  test('refuses tables of a newer version, and says what to do', async () => {
    const schema = schemaName();
    const store = createPostgresStore({ pool, schema });
    await store.migrate();
    await pool.query(`insert into ${quoted(schema)}.migrations (version) values (${latest + 1})`);
    const refusal = { code: 'store_outdated', message: expect.stringContaining('update the package') };
    await expect(store.migrate()).rejects.toMatchObject(refusal);
    await expect(store.migrate()).rejects.toBeInstanceOf(StoreError);
    await drop(schema);
  });

  test('does half of a step never', async () => {
    const schema = schemaName();
    const store = createPostgresStore({ pool, schema });
    // In the way of the second table, so that the first has been made when it fails.
    await pool.query(`create schema ${quoted(schema)}; create table ${quoted(schema)}.deliveries ()`);
    await expect(store.migrate()).rejects.toMatchObject({ code: 'store_failed' });
    await pool.query(`drop table ${quoted(schema)}.deliveries`);
    await store.migrate();
    expect(await versions(schema)).toEqual(expected);
    await drop(schema);
  });

  test('lets no index depend on the language of the database, which the next release of the system may sort differently', async () => {
    const schema = schemaName();
    await createPostgresStore({ pool, schema }).migrate();
    const { rows } = await pool.query<{ name: string; collation: string }>(
      `select i.indexrelid::regclass::text as name, c.collname as collation
       from pg_index i cross join lateral unnest(i.indcollation) as k (oid) join pg_collation c on c.oid = k.oid
       join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace where n.nspname = $1`,
      [schema],
    );
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.filter(({ collation }) => collation !== 'C')).toEqual([]);
    await drop(schema);
  });

  test('needs no right to create anything where there is nothing to do', async () => {
    const [schema, role] = [schemaName(), `headgate_${crypto.randomUUID()}`];
    for (const { sql } of postgresMigrations(schema)) await pool.query(`begin; ${sql}; commit`);
    await pool.query(`create role ${quoted(role)} login password 'x';
      grant usage on schema ${quoted(schema)} to ${quoted(role)};
      grant select, insert, update, delete on all tables in schema ${quoted(schema)} to ${quoted(role)}`);
    const theirs = createPool({ connectionString: withUser(role, 'x') });
    const store = createPostgresStore({ pool: theirs, schema });
    await store.migrate();
    expect(await store.enqueue([])).toBe(0);
    await theirs.end();
    await drop(schema);
    await pool.query(`drop role ${quoted(role)}`);
  });
});

function withUser(user: string, password: string): string {
  const url = new URL(String(pool.options.connectionString));
  return Object.assign(url, { username: encodeURIComponent(user), password }).href;
}

describe('the SQL for others to run', () => {
  test('records each version, in order', () => {
    postgresMigrations().forEach(({ version, sql }, i) => {
      expect(version).toBe(i + 1);
      expect(sql).toContain(`insert into "headgate".migrations (version) values (${version})`);
      expect(sql).not.toContain('{{');
    });
  });

  test.for(['', 'x'.repeat(64), 'é'.repeat(32), 'a\0b'])('a schema named %j is refused', (schema) => {
    expect(() => postgresMigrations(schema)).toThrow(expect.objectContaining({ code: 'invalid_option' }));
    expect(() => createPostgresStore({ pool, schema })).toThrow('schema');
  });

  test('quotes the name, whatever is in it', () => {
    expect(postgresMigrations('a"; drop table $& x; --')[0]?.sql).toContain(
      '"a""; drop table $& x; --".deliveries',
    );
  });
});
