/**
 * Chaos tests: deliveries while processes, databases, disks and clocks fail. `npm run chaos` runs them. With `--short`
 * everything is smaller and several scenarios run at once; `--only sqlite` runs one. Exits with 0 only if all is as
 * docs/delivery.md says.
 */
import { rmSync } from 'node:fs';
import { type PostgresServer, startPostgres } from '../postgres/start.js';
import { bundle } from './bundle.js';
import { plan } from './plan.js';
import type { Means, Scenario } from './scenario.js';
import { faultsOf, type Row, showEnd, showRows } from './table.js';
import { World } from './world.js';
import { readCommandLine } from '../command-line.js';

const { values } = readCommandLine({
  options: { short: { type: 'boolean', default: false }, only: { type: 'string', multiple: true } },
});

const worlds = new Set<World>();
let programs = '';
let server: PostgresServer | undefined;

let tidying: Promise<void> | undefined;

/** Ends all processes and removes all files, once. */
const tidy = (): Promise<void> => (tidying ??= endAll());

async function endAll(): Promise<void> {
  await Promise.all(Array.from(worlds, (world) => world.close()));
  await server?.stop();
  if (programs !== '') rmSync(programs, { recursive: true, force: true });
}

async function run(scenario: Scenario, means: Means): Promise<Row> {
  const began = performance.now();
  const world = new World(programs, scenario.name);
  worlds.add(world);
  const row = await world
    .open()
    .then(() => scenario.run(world, means))
    .then(
      (outcome) => ({ outcome, error: null }),
      (error: unknown) => ({ outcome: null, error }),
    );
  await world.close();
  worlds.delete(world);
  const done = { scenario, tookMs: performance.now() - began, ...row };
  console.log(showEnd(done));
  return done;
}

/** Runs them in order, `atOnce` at the same time. */
async function runAll(scenarios: readonly Scenario[], atOnce: number, means: Means): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const waiting = scenarios.entries();
  const runner = async (): Promise<void> => {
    for (const [index, scenario] of waiting) rows[index] = await run(scenario, means);
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
  return rows;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // A terminal signals the whole group, and npm passes it on: it may come twice.
  process.on(signal, () => void tidy().finally(() => process.exit(1)));
}
try {
  const { scenarios, atOnce } = plan(values.short, values.only);
  programs = await bundle();
  server = await startPostgres();
  const draw = (end: number): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % end;
  const rows = await runAll(scenarios, atOnce, { postgres: server.url, draw });
  const failed = rows.filter((row) => faultsOf(row).length > 0).length;
  console.log(showRows(rows));
  console.log(`${rows.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await tidy();
}
