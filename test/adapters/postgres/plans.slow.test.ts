/** The plans of statements: none reads a whole table. */
import { Columns } from '../../../src/delivery/columns.js';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EARLIEST } from '../../../src/adapters/postgres/instants.js';
import { createStatements, type Statements } from '../../../src/adapters/postgres/statements.js';
import { createFixture, type Fixture, quoted } from './schema.js';

const NOW = 1_700_000_000_000;
const FEW = 10_000;
const MANY = 1_000_000;
/** A snapshot that has seen all transactions of the tests. */
const AFTER_ALL = '4000000000:4000000000:';

/** `due_at`, `finished_at`, `state` and `endpoint_id` of the nth of nearly all deliveries. */
const backlogs = {
  'finished or due later': `
    case when n % 2 = 0 then ${NOW} + n end, case when n % 2 = 1 then 1 end,
    case when n % 2 = 0 then 'pending' else 'delivered' end, 'endpoint ' || n % 1000`,
  'due now at one endpoint': `${NOW - MANY} + n, null::bigint, 'pending', 'endpoint 0'`,
} as const;
type Backlog = keyof typeof backlogs;

/** A backlog, and forty more that are due now at ten other endpoints. Indexes are made when the rows are there. */
async function fill({ pool, schema }: Fixture, backlog: Backlog, rows: number): Promise<void> {
  const inSchema = quoted(schema);
  const table = `${inSchema}.deliveries`;
  const indexes = await pool.query<{ name: string; sql: string }>(
    `select format('%I.%I', schemaname, indexname) as name, indexdef as sql from pg_indexes
     where schemaname = $1 and tablename = 'deliveries' and indexname <> 'deliveries_pkey'`,
    [schema],
  );
  await pool.query(`
    drop index ${indexes.rows.map(({ name }) => name).join()};
    alter table ${table} drop constraint deliveries_pkey;
    insert into ${inSchema}.bodies (created_at, event_id, digest, bytes) values (1, '', '', '{}');
    insert into ${table} (due_at, finished_at, state, endpoint_id, id, event_id, event_type, origin, created_at, body)
    select backlog.*, 'old ' || n, 'old', 'x', 'live', 1, 1
    from generate_series(1, ${rows}) as g (n) cross join lateral (select ${backlogs[backlog]}) as backlog (d, f, s, e);
    insert into ${table} (due_at, endpoint_id, id, event_id, event_type, origin, created_at, body)
    select ${NOW}, 'other ' || n % 10, 'new ' || n, 'new', 'x', 'live', 1, 1 from generate_series(1, 40) as g (n);
    alter table ${table} add primary key (id);
    ${indexes.rows.map(({ sql }) => sql).join(';')}`);
}

const ids = Array.from({ length: 40 }, (_, n) => `new ${n + 1}`);
const ended = ids.slice(0, 20);
const all = (value: Value): Value[] => ended.map(() => value);
const body = Buffer.from('{}');

/** The statements that a worker repeats, with their values. */
const work = {
  'read, from the start': ['read', [EARLIEST, NOW, 40, [], [], EARLIEST, EARLIEST, null]],
  'read, from the floor': ['read', [EARLIEST, NOW, 40, [], [], NOW - 5_000, NOW, AFTER_ALL]],
  'read, some behind': [
    'read',
    [NOW - 1, NOW, 40, ['endpoint 0', 'endpoint 7', 'none'], [9, 9, 9], EARLIEST, EARLIEST, null],
  ],
  queues: ['queues', ['', 100]],
  lease: ['lease', [ids, NOW, 20, 'lease', NOW + 1]],
  settle: [
    'settle',
    [
      ...[ended, all('lease'), all('delivered'), all(1), all(null), all(null), all(NOW)],
      ...[all(1), all(NOW), all(NOW), all(null), all(200), all(null), all(null), all(null), all(null)],
      all(null),
    ],
  ],
  get: ['get', ['new 1']],
  enqueue: [
    'enqueue',
    [
      ...[ended.map((id) => `${id} again`), all('evt'), all('x'), all('other 1'), all('live'), all(null)],
      ...[all(NOW), all(NOW), all(body), all(null), ['evt'], [body], [body], [NOW], all(body.length)],
    ],
  ],
  'enqueue, without bodies': [
    'enqueue',
    [
      ...[ended.map((id) => `${id} once more`), all('evt'), all('x'), all('other 1'), all('live'), all(null)],
      ...[all(NOW), all(NOW), all(null), all(null), [], [], [], [], all(body.length)],
    ],
  ],
} as const satisfies Record<
  string,
  readonly [Exclude<keyof Statements, 'of' | 'columns' | 'letter'>, readonly Value[]]
>;
type Work = keyof typeof work;

const queues = Array.from({ length: 1_024 }, (_, n) => `endpoint ${n}`);
const most = queues.map(() => 1_024);
const offered = Array.from({ length: 4_096 }, (_, n) => `old ${n}`);
/** Statements of the largest claims of a host. */
const largest = {
  'read, from the start': ['read', [EARLIEST, NOW, 1_024, [], [], EARLIEST, EARLIEST, null]],
  'read, from the floor': ['read', [EARLIEST, NOW, 1_024, [], [], NOW - 5_000, NOW, AFTER_ALL]],
  'read, all fresh': ['read', [EARLIEST, NOW, 1_024, [], [], NOW - 5_000, NOW, '9:9:']],
  'read, many behind': ['read', [NOW - 1, NOW, 1_024, queues, most, EARLIEST, EARLIEST, null]],
  queues: ['queues', ['', 1_000]],
  lease: ['lease', [offered, NOW, 1_024, 'lease', NOW + 1]],
} as const satisfies Record<
  string,
  readonly [Exclude<keyof Statements, 'of' | 'columns' | 'letter'>, readonly Value[]]
>;

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Total Cost': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

interface Cost {
  /** Pages that were touched. */
  readonly buffers: number;
  /** As Postgres estimates it. */
  readonly estimated: number;
  /** Tables that were read from end to end. */
  readonly scanned: readonly string[];
}

const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Half of `jit_above_cost`, from which on Postgres compiles a statement before it runs it. */
const MOST_ESTIMATED = 50_000;

/** A session that makes one plan of each statement, for any values, and keeps it; or a new one for each values. */
async function connect({ pool, schema }: Fixture, plans = 'generic'): Promise<pg.PoolClient> {
  const client = await pool.connect();
  await client.query(`set plan_cache_mode = force_${plans}_plan`);
  const statements = createStatements(schema, new Columns());
  for (const name of new Set(Object.values(work).map(([statement]) => statement))) {
    const { name: prepared, text } = statements[name];
    await client.query(`prepare ${prepared} as ${text}`);
  }
  return client;
}

/** The cost of each statement in this session, whose changes are rolled back. */
async function measure(client: pg.PoolClient, { schema }: Fixture): Promise<Readonly<Record<Work, Cost>>> {
  const statements = createStatements(schema, new Columns());
  const costs: Partial<Record<Work, Cost>> = {};
  await client.query('begin');
  for (const [name, [statement, values]] of Object.entries(work) as [Work, (typeof work)[Work]][]) {
    const execute = `execute ${statements[statement].name} (${values.map(literal).join()})`;
    const { rows } = await client.query(`explain (analyze, buffers, timing off, format json) ${execute}`);
    const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan as Node);
    const scans = nodes.filter((node) => node['Node Type'].includes('Seq Scan'));
    costs[name] = {
      buffers: nodes[0]!['Shared Hit Blocks'] + nodes[0]!['Shared Read Blocks'],
      estimated: nodes[0]!['Total Cost'],
      scanned: scans.map((node) => node['Relation Name'] ?? ''),
    };
  }
  await client.query('rollback');
  return costs as Record<Work, Cost>;
}

async function measureAnew(fixture: Fixture): Promise<Readonly<Record<Work, Cost>>> {
  const client = await connect(fixture);
  return measure(client, fixture).finally(() => client.release(true));
}

function expectNoMore(costs: Readonly<Record<Work, Cost>>, than: Readonly<Record<Work, Cost>>): void {
  for (const name of Object.keys(work) as Work[]) {
    expect(costs[name].estimated, name).toBeLessThan(MOST_ESTIMATED);
    expect(costs[name].scanned, name).toEqual([]);
    expect(than[name].scanned, name).toEqual([]);
    expect(than[name].buffers, name).toBeGreaterThan(0);
    // An index of a million rows has a level more.
    expect(costs[name].buffers, name).toBeLessThanOrEqual(2 * than[name].buffers + 5);
  }
}

type Value = string | number | null | Buffer | readonly Value[];

/** A parameter without a type: its type follows from where it occurs. */
const literal = (value: Value): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? `'{${value.map(element).join()}}'`
      : `'${value as string}'`;

function element(value: Value): string {
  if (value === null) return 'null';
  return Buffer.isBuffer(value) ? `"\\\\x${value.toString('hex')}"` : `"${value as string}"`;
}

describe.each(Object.keys(backlogs) as Backlog[])('a backlog that is %s', (backlog) => {
  let few: Fixture;
  let many: Fixture;
  beforeAll(async () => {
    [few, many] = await Promise.all([createFixture(), createFixture()]);
    await fill(few, backlog, FEW);
    await fill(many, backlog, MANY);
  });
  afterAll(() => Promise.all([few.close(), many.close()]));

  test.each(['no', 'all'])(
    'costs a worker no more at a million than at ten thousand, with %s statistics',
    async (statistics) => {
      for (const { pool, schema } of [few, many]) {
        if (statistics === 'all') await pool.query(`vacuum analyze ${quoted(schema)}.deliveries`);
      }
      expectNoMore(await measureAnew(many), await measureAnew(few));
    },
  );
});

test.each(['no', 'all', 'stale'])(
  'the largest claims are estimated below the cost from which on Postgres compiles them, with %s statistics',
  async (statistics) => {
    const fixture = await createFixture();
    const table = `${quoted(fixture.schema)}.deliveries`;
    if (statistics === 'stale') await fixture.pool.query(`vacuum analyze ${table}`);
    await fill(fixture, 'due now at one endpoint', 200_000);
    if (statistics === 'all') await fixture.pool.query(`vacuum analyze ${table}`);
    for (const plans of ['generic', 'custom']) {
      const client = await connect(fixture, plans);
      for (const [name, [statement, values]] of Object.entries(largest)) {
        const execute = `execute ${createStatements(fixture.schema, new Columns())[statement].name} (${values.map(literal).join()})`;
        const { rows } = await client.query(`explain (format json) ${execute}`);
        expect(rows[0]['QUERY PLAN'][0].Plan['Total Cost'], `${name}, ${plans} plans`).toBeLessThan(
          MOST_ESTIMATED,
        );
      }
      client.release(true);
    }
    await fixture.close();
  },
);

test('plans that were made for empty tables are good for full ones', async () => {
  const fixture = await createFixture();
  const client = await connect(fixture);
  await measure(client, fixture);
  const table = `${quoted(fixture.schema)}.deliveries`;
  await fixture.pool.query(`
    insert into ${quoted(fixture.schema)}.bodies (created_at, event_id, digest, bytes) values (1, '', '', '{}');
    insert into ${table} (due_at, endpoint_id, id, event_id, event_type, origin, created_at, body)
    select ${NOW}, 'other ' || n % 10, 'new ' || n, 'new', 'x', 'live', 1, bodies.id
    from generate_series(1, ${FEW}) as g (n), ${quoted(fixture.schema)}.bodies`);
  expectNoMore(await measure(client, fixture), await measureAnew(fixture));
  client.release(true);
  await fixture.close();
});
