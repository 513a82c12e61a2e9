/** How many rows and pages Postgres reads for each call, as the backlog grows. */
import { describe, expect, inject, test } from 'vitest';
import { QUEUES_AT_A_TIME } from '../../../src/adapters/sql/backlog.js';
import { type CountedPostgres, countedPostgres, type Plans } from './counted-postgres.js';
import { expectFlat, expectIndexed, expectInProportion } from './laws.js';
import { fillShape, fillWork, measure, type Readings, type Rewrite } from './measure.js';
import { FEW, manyEndpoints, MANY, type Shape, shapes } from './shapes.js';

/** Rows for each delivery that a claim takes. */
const BOUNDS = { readPerDelivery: 6 };

const shape = (name: string): Shape => shapes.find((one) => one.name === name)!;

/** Whether the planner has statistics, and whether it keeps one plan or makes one for each set of values. */
interface Phase {
  readonly isAnalyzed: boolean;
  readonly plans: Plans;
}
const phases: readonly Phase[] = [
  { isAnalyzed: false, plans: 'kept' },
  { isAnalyzed: true, plans: 'made each time' },
];

/** Readings with a number of rows, one for each phase. */
async function readings(one: Shape, rows: number): Promise<readonly Readings[]> {
  const counted = await countedPostgres(inject('postgres'));
  await fillShape(counted, one, 0, rows);
  const all: Readings[] = [];
  for (const { isAnalyzed, plans } of phases) {
    await fillWork(counted, `work, ${plans}`);
    if (isAnalyzed) await counted.analyze();
    await counted.plan(plans);
    all.push(await measure(counted, one));
  }
  await counted.close();
  return all;
}

describe.each(shapes)('a backlog of deliveries $name', (one) => {
  // Tried again with an empty database: on a busy machine, the server may not have cleaned the pages that a call passes
  // yet.
  test('makes no call read more at 100,000 than at 1,000', { retry: 2 }, async () => {
    const few = await readings(one, one.few ?? FEW);
    const many = await readings(one, MANY);
    many.forEach((reading, phase) => {
      expectFlat(few[phase]!, reading);
      expectIndexed(reading);
      expectInProportion(reading.claim!, BOUNDS);
    });
  });
});

test('a claim searches for a bounded number of endpoints, and the claims after the search read no more', async () => {
  const few = await readings(manyEndpoints, FEW);
  const many = await readings(manyEndpoints, MANY);
  many.forEach(({ 'first claim': search, ...others }, phase) => {
    const { 'first claim': _, ...before } = few[phase]!;
    expect(search!.read).toBeLessThanOrEqual(9 * QUEUES_AT_A_TIME);
    expectFlat(before, others);
    expectInProportion(others.claim!, BOUNDS);
  });
});

/** Readings after something was done to the tables. */
async function readingsAfter(
  done: (counted: CountedPostgres) => Promise<void>,
  one: Shape,
  rewrite?: Rewrite,
): Promise<Readings> {
  const counted = await countedPostgres(inject('postgres'), rewrite);
  await done(counted);
  await fillWork(counted, 'work');
  const all = await measure(counted, one);
  await counted.close();
  return all;
}

test('statistics of another backlog make no call of a worker read more', async () => {
  const full = shape('due now at one endpoint that is full');
  const stale = (rows: number): Promise<Readings> =>
    readingsAfter(async (counted) => {
      await fillShape(counted, shape('finished'), 0, FEW);
      await counted.analyze();
      await fillShape(counted, full, FEW, FEW + rows);
    }, full);
  const many = await stale(MANY);
  expectFlat(await stale(FEW), many);
  expectIndexed(many);
});

test('claims step over what is dead in the indexes once, while a transaction keeps it there', async () => {
  const dying = (rows: number): Promise<Readings> =>
    readingsAfter(async (counted) => {
      await fillShape(counted, shape('due now at one endpoint'), 0, rows);
      await counted.hold();
      await counted.pool.query(
        `update ${counted.table} set state = 'delivered', finished_at = due_at, due_at = null`,
      );
    }, shape('finished'));
  const [few, many] = [await dying(FEW), await dying(20 * FEW)];
  // A look from the start has them all in its way, and so has the first claim.
  expect(many['first claim']!.pages).toBeGreaterThan(2 * few['first claim']!.pages!);
  const later = ({ 'look at the next due instant': _, 'first claim': __, ...rest }: Readings): Readings =>
    rest;
  expectFlat(later(few), later(many));
  expectIndexed(many);
});

/** A fault, and a backlog with which it costs. */
interface Fault {
  readonly fault: string;
  readonly with: string;
  /** The name of the deliveries' schema. */
  readonly schema?: (schema: string) => string;
  readonly rewrite?: Rewrite;
}

const dropping =
  (...indexes: string[]) =>
  (schema: string) =>
    indexes.map((index) => `drop index ${schema}.${index};`).join(' ');
const replacing =
  (from: string, to: string): Rewrite =>
  (sql) =>
    sql.replace(from, to);

const faults: readonly Fault[] = [
  { fault: 'no index of what is due', with: 'due later', schema: dropping('deliveries_due') },
  {
    fault: 'no index of what is unfinished',
    with: 'finished',
    schema: dropping('deliveries_due', 'deliveries_lanes', 'deliveries_added'),
  },
  {
    fault: 'no index of queues',
    with: 'due now at one endpoint that is full',
    schema: dropping('deliveries_lanes'),
  },
  { fault: 'no index of letters', with: 'dead letters', schema: dropping('deliveries_dead_letters') },
  {
    fault: 'no index of the letters of an endpoint',
    with: 'dead letters of one endpoint',
    schema: dropping('deliveries_dead_letters_of_endpoint'),
  },
  {
    fault: 'index entries that deliveries of the same millisecond share',
    with: 'due in the same millisecond',
    schema: (schema) => `alter index ${schema}.deliveries_lanes set (deduplicate_items = on)`,
  },
  {
    fault: 'an order of due deliveries that no index has',
    with: 'due now at 200 endpoints',
    rewrite: replacing('order by due_at limit $3', 'order by due_at + 0 limit $3'),
  },
  {
    fault: 'an order of later deliveries that no index has',
    with: 'due later',
    rewrite: replacing('order by due_at limit 8', 'order by due_at + 0 limit 8'),
  },
  {
    fault: 'queues that are read by time',
    with: 'due now at one endpoint that is full',
    rewrite: replacing(
      'where (endpoint_id, due_at) >= (queue.endpoint_id,',
      "where (endpoint_id || '', due_at) >= (queue.endpoint_id,",
    ),
  },
  {
    fault: 'a search that reads all of a queue',
    with: 'due now at one endpoint that is full',
    rewrite: replacing(
      'where endpoint_id > queue.endpoint_id',
      "where endpoint_id || '' > queue.endpoint_id",
    ),
  },
  {
    fault: 'letters in the order of an expression',
    with: 'dead letters',
    rewrite: replacing('order by finished_at desc', 'order by finished_at + 0 desc'),
  },
  {
    fault: 'a lease that looks for its row',
    with: 'due now at one endpoint',
    rewrite: replacing('where deliveries.id = wanted.id', "where deliveries.id || '' = wanted.id"),
  },
  {
    fault: 'a settlement that looks for its row',
    with: 'finished',
    rewrite: replacing('where deliveries.id = ended.id', "where deliveries.id || '' = ended.id"),
  },
];

test.each(faults)('a law sees $fault', async ({ with: name, schema, rewrite = (sql) => sql }) => {
  let rewritten = 0;
  const noting: Rewrite = (sql) => {
    const changed = rewrite(sql);
    if (changed !== sql) rewritten++;
    return changed;
  };
  const faulty = (rows: number): Promise<Readings> =>
    readingsAfter(
      async (counted) => {
        if (schema !== undefined) await counted.pool.query(schema(counted.table.split('.')[0]!));
        await fillShape(counted, shape(name), 0, rows);
      },
      shape(name),
      noting,
    );
  const [few, many] = [await faulty(FEW), await faulty(10 * FEW)];
  expect(rewritten > 0 || schema !== undefined).toBe(true);
  expect(() => {
    expectFlat(few, many);
    expectIndexed(many);
  }).toThrow(/: (read|pages)/);
});
