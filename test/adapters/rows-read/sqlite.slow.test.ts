/** How many steps SQLite takes for each call, as the backlog grows. */
import { describe, expect, test } from 'vitest';
import { openDatabase, type SqliteDatabase } from '../../../src/adapters/sqlite/driver.js';
import { Columns } from '../../../src/delivery/columns.js';
import { migrate } from '../../../src/adapters/sqlite/schema.js';
import { namedFor, selectLetters } from '../../../src/adapters/sqlite/statements.js';
import { QUEUES_AT_A_TIME } from '../../../src/adapters/sql/backlog.js';
import { EXPIRED_AT_A_TIME } from '../../../src/adapters/sql/claim-due.js';
import { countedSqlite, CountingDatabase, fill } from './counted-sqlite.js';
import { fillShape, fillWork, measure, type Readings, type Rewrite } from './measure.js';
import { expectFlat, expectIndexed, expectInProportion } from './laws.js';
import { FEW, manyEndpoints, MANY, type Shape, shapes } from './shapes.js';

/**
 * Steps of SQLite's machine for each delivery that a claim takes. Whether a body is stored takes one for each that is
 * offered.
 */
const BOUNDS = { readPerDelivery: 206 };
/** Steps for each ended lease that a claim looks at. */
const STEPS_OF_EXPIRED = 16;
/** Steps for each endpoint that a search finds. */
const STEPS_OF_QUEUE = 35;

const shape = (name: string): Shape => shapes.find((one) => one.name === name)!;

type Phase = 'without statistics' | 'with statistics';

/** Readings with a number of rows, before and after `analyze`. */
async function readings(one: Shape, rows: number): Promise<Readonly<Record<Phase, Readings>>> {
  const counted = countedSqlite();
  await fillShape(counted, one, 0, rows);
  await fillWork(counted, 'work');
  const without = await measure(counted, one);
  await counted.analyze();
  await fillWork(counted, 'more work');
  const all = { 'without statistics': without, 'with statistics': await measure(counted, one) };
  await counted.close();
  return all;
}

const phases: readonly Phase[] = ['without statistics', 'with statistics'];

describe.each(shapes)('a backlog of deliveries $name', (one) => {
  test('makes no call read more at 100,000 than at 1,000', async () => {
    const few = await readings(one, one.few ?? FEW);
    const many = await readings(one, MANY);
    for (const phase of phases) {
      expectFlat(few[phase], many[phase]);
      expectIndexed(many[phase]);
      const { claim } = many[phase];
      const expired = one.name.includes('leases ended') ? STEPS_OF_EXPIRED * EXPIRED_AT_A_TIME : 0;
      expectInProportion({ ...claim!, read: claim!.read - expired }, BOUNDS);
    }
  });
});

test('a claim searches for a bounded number of endpoints, and the claims after the search read no more', async () => {
  const few = await readings(manyEndpoints, FEW);
  const many = await readings(manyEndpoints, MANY);
  for (const phase of phases) {
    const { 'first claim': search, ...others } = many[phase];
    const { 'first claim': _, ...before } = few[phase];
    expect(search!.read).toBeLessThanOrEqual(8 * QUEUES_AT_A_TIME * STEPS_OF_QUEUE);
    expectFlat(before, others);
    expectInProportion(others.claim!, BOUNDS);
  }
});

/** Readings with statistics of a small table of something else. */
async function staleReadings(
  one: Shape,
  rows: number,
  change = (_: CountingDatabase): void => undefined,
  rewrite?: Rewrite,
) {
  const counted = countedSqlite(rewrite);
  change(counted.database);
  await fillShape(counted, shape('finished'), 0, FEW);
  await counted.analyze();
  await fillShape(counted, one, FEW, FEW + rows);
  await fillWork(counted, 'work');
  const all = await measure(counted, one);
  await counted.close();
  return all;
}

test.each(['due now at one endpoint that is full', 'dead letters'])(
  'statistics of another backlog make no call read more with %s',
  async (name) => {
    const many = await staleReadings(shape(name), MANY);
    expectFlat(await staleReadings(shape(name), FEW), many);
    expectIndexed(many);
  },
);

const columns = new Columns();
const LETTERS = ['endpoint_id = ?', 'finished_at < ?', 'event_type = ?', '(finished_at, id) < (?, ?)'];
const statements: readonly string[] = [
  ...Object.values(namedFor(columns)),
  ...[[], ...LETTERS.map((one) => [one])].map((more) => selectLetters(columns, ['dead_letter = 1', ...more])),
];

/** An empty database, or one with some rows of a shape. */
function filled(database: SqliteDatabase, row?: Shape['row']): SqliteDatabase {
  migrate(database, columns);
  if (row === undefined) return database;
  database.exec(`insert into headgate_bodies (event_id, digest, created_at, bytes)
    select value, x'', 1, x'' from json_each('[1, 2, 3, 4, 5, 6, 7, 8, 9]')`);
  fill(
    database,
    Array.from({ length: FEW }, (_, n) => ({ id: `${n}`, ...row(n) })),
  );
  return database;
}

const explained = (database: SqliteDatabase, how: string, column: string): unknown[][] =>
  statements.map((sql) =>
    (database.prepare(`${how} ${sql}`).all() as Record<string, unknown>[]).map((step) => step[column]),
  );

test.each(shapes)('statistics of $name change no plan', ({ row }) => {
  const database = filled(new CountingDatabase(), row);
  database.exec('analyze');
  const empty = filled(new CountingDatabase());
  expect(explained(database, 'explain query plan', 'detail')).toEqual(
    explained(empty, 'explain query plan', 'detail'),
  );
  database.close();
  empty.close();
});

test.each([false, true])(
  'what is counted are the programs of the driver, with statistics: %s',
  (isAnalyzed) => {
    const [driver, counting] = [openDatabase(':memory:'), new CountingDatabase()].map((database) => {
      filled(database, (n) => shapes[n % shapes.length]!.row(n));
      if (isAnalyzed) database.exec('analyze');
      const programs = explained(database, 'explain', 'opcode');
      database.close();
      return programs;
    });
    expect(counting).toEqual(driver);
  },
);

/** A fault, and a backlog with which it costs. */
interface Fault {
  readonly fault: string;
  readonly with: string;
  readonly schema?: string;
  readonly rewrite?: Rewrite;
}

const replacing =
  (from: string, to: string): Rewrite =>
  (sql) =>
    sql.replace(from, to);

const faults: readonly Fault[] = [
  { fault: 'no index of what is due', with: 'finished', schema: 'drop index headgate_due' },
  {
    fault: 'no index of queues',
    with: 'due now at one endpoint that is full',
    schema: 'drop index headgate_lanes',
  },
  { fault: 'no index of leases', with: 'finished', schema: 'drop index headgate_leases' },
  { fault: 'no index of letters', with: 'dead letters', schema: 'drop index headgate_letters' },
  {
    fault: 'no index of the letters of an endpoint',
    with: 'dead letters',
    schema: 'drop index headgate_letters_of_endpoint',
  },
  {
    fault: 'an index of due deliveries that holds all',
    with: 'leased',
    schema: 'drop index headgate_due; create index headgate_due on headgate_deliveries (state)',
  },
  {
    fault: 'an order of due deliveries that no index has',
    with: 'due now at 200 endpoints',
    rewrite: replacing('order by due_at limit', 'order by due_at, id limit'),
  },
  {
    fault: 'an order of later deliveries that no index has',
    with: 'due later',
    rewrite: replacing('order by headgate_deliveries.due_at limit', 'order by due_at limit'),
  },
  {
    fault: 'queues that are read by time',
    with: 'due now at one endpoint that is full',
    rewrite: replacing('and endpoint_id = queue.value', 'and +endpoint_id = queue.value'),
  },
  {
    fault: 'an order of tables that statistics choose',
    with: 'due now at one endpoint that is full',
    rewrite: replacing('as queue cross join', 'as queue join'),
  },
  {
    fault: 'a search that reads all of a queue',
    with: 'due now at one endpoint that is full',
    rewrite: replacing('and endpoint_id > queue.endpoint_id', 'and +endpoint_id > queue.endpoint_id'),
  },
  {
    fault: 'letters in the order of an expression',
    with: 'dead letters',
    rewrite: replacing('order by headgate_deliveries.finished_at desc', 'order by finished_at desc'),
  },
  {
    fault: 'a lease that looks for its row',
    with: 'finished',
    rewrite: replacing('where number = ? and due_at', 'where +number = ? and due_at'),
  },
  {
    fault: 'a settlement that looks for its row',
    with: 'finished',
    rewrite: replacing('where id = ? and lease', 'where +id = ? and lease'),
  },
];

test.each(faults)('a law sees $fault', async ({ with: name, schema = '', rewrite = (sql) => sql }) => {
  let rewritten = 0;
  const noting: Rewrite = (sql) => {
    const changed = rewrite(sql);
    if (changed !== sql) rewritten++;
    return changed;
  };
  const plant = (database: CountingDatabase): void => {
    if (schema !== '') database.exec(schema);
  };
  const faulty = (rows: number): Promise<Readings> => staleReadings(shape(name), rows, plant, noting);
  const [few, many] = [await faulty(FEW), await faulty(4 * FEW)];
  expect(rewritten > 0 || schema !== '').toBe(true);
  expect(() => {
    expectFlat(few, many);
    expectIndexed(many);
  }).toThrow(/: (read|sorts)/);
});
