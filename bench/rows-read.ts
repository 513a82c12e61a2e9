/**
 * Counts the rows that one call of a store reads, beside few other rows and beside many.
 *
 *     npx tsx bench/rows-read.ts [--smoke]
 *
 * Counts, not times: rows of tables and indexes, and pages, as Postgres reports them for every plan; steps of SQLite's
 * machine, of which a row takes ten to thirty. The laws that hold these counts are in test/adapters/rows-read; claims
 * and settlements are of twenty.
 */
import { countedPostgres } from '../test/adapters/rows-read/counted-postgres.js';
import { countedSqlite } from '../test/adapters/rows-read/counted-sqlite.js';
import {
  type Counted,
  fillShape,
  fillWork,
  measure,
  type Readings,
} from '../test/adapters/rows-read/measure.js';
import { FEW, MANY, manyEndpoints, type Shape, shapes } from '../test/adapters/rows-read/shapes.js';
import { readBenchLine } from './running/command-line.js';
import { findPostgres } from './throughput/servers.js';

const { smoke } = readBenchLine({});

/** The shortest form asks about one backlog, a tenth as long. */
const asked = smoke ? shapes.slice(0, 1) : [...shapes, manyEndpoints];
const most = smoke ? MANY / 10 : MANY;

/** The law of the tests: what a call reads hardly grows with the backlog. */
const GROWTH = 1.5;

async function readings(counted: Counted, shape: Shape, rows: number): Promise<Readings> {
  await fillShape(counted, shape, 0, rows);
  await fillWork(counted, 'work');
  const all = await measure(counted, shape);
  await counted.close();
  return all;
}

/** A row for each call: what it reads with few rows, and with many. */
function table(few: Readings, many: Readings): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const rows = Object.entries(many).map(([call, { read, pages }]) => {
    const before = few[call];
    const inPages = pages === undefined ? {} : { 'pages, few': before?.pages ?? NaN, 'pages, many': pages };
    return [call, { few: before?.read ?? NaN, many: read, ...inPages }] as const;
  });
  return Object.fromEntries(rows);
}

const postgres = await findPostgres();
for (const shape of asked) {
  const { few = FEW } = shape;
  for (const [name, open] of [
    ['SQLite, steps', () => Promise.resolve(countedSqlite())],
    ['Postgres, rows', () => countedPostgres(postgres.at)],
  ] as const) {
    console.log(`${name}: deliveries ${shape.name}, ${few} and ${most}`);
    const before = await readings(await open(), shape, few);
    const after = await readings(await open(), shape, most);
    console.table(table(before, after));
    for (const [call, { read }] of Object.entries(after)) {
      const allowed = GROWTH * (before[call]?.read ?? 0);
      if (read <= allowed) continue;
      console.error(`${call} reads ${read}, where the law allows ${allowed}`);
      process.exitCode = 1;
    }
  }
}
await postgres.stop();
