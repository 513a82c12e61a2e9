/**
 * The packed tarball on every runtime: `npm run test:runtimes`, after a build. Installs what it needs, prints the table
 * of docs/bundlers.md, and exits with 0 only if every check has passed on every runtime and the page shows the same
 * table. `-- --write` writes it there; `-- Bun Deno` tries the runtimes whose names begin so.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { StreamHost } from '../client/stream-host.js';
import { readCommandLine } from '../command-line.js';
import { matches, transforms } from '../docs/rules-examples.js';
import { readBlock, writeBlock } from '../marked-block.js';
import { linkDependencies, unpackInto } from '../packed.js';
import type { Re2Vectors } from '../patterns/re2-vectors.js';
import type { SigningVector } from '../signing/signing-vectors.js';
import { bundle } from './bundle.js';
import type { Report } from './checks/checks.js';
import { startHooks } from './hooks.js';
import { type Runtime, runtimesIn } from './runtimes.js';
import { type Row, tableOf } from './table.js';

const { values, positionals } = readCommandLine({
  options: { write: { type: 'boolean' } },
  allowPositionals: true,
});

const TABLE = {
  document: resolve(import.meta.dirname, '../../docs/bundlers.md'),
  command: 'npm run test:runtimes',
};

/** Runtimes that run at once. */
const AT_ONCE = 2;

const readVectors = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../vectors', name), 'utf8'));

/** A host with events, which breaks the connection of each client in the middle, instead of storing a reply. */
async function startHost(): Promise<StreamHost> {
  const host = await new StreamHost().start();
  host.append(100);
  const refused = new Set<unknown>();
  host.intercept = ({ event_id, id }, socket) => {
    if (event_id !== 'evt_50' || refused.has(id)) return false;
    refused.add(id);
    socket.terminate();
    return true;
  };
  return host;
}

/** The reports of a runtime, and true where every check has passed. */
async function tryOn({ name, runs }: Runtime): Promise<Row & { readonly holds: boolean }> {
  const began = performance.now();
  const reports: Report[] = [];
  const faults: string[] = [];
  for (const run of runs) {
    try {
      const report = JSON.parse(await run()) as Report;
      reports.push(report);
      for (const [area, { failures }] of Object.entries(report)) {
        faults.push(...failures.map((failure) => `${area}: ${failure}`));
      }
    } catch (error) {
      faults.push(String(error));
    }
  }
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log([`${name}: ${faults.length} failed (${seconds} s)`, ...faults].join('\n  '));
  return { name, reports, holds: faults.length === 0 };
}

/** Tries runtimes, two at a time; the rows are in the order of the runtimes. */
async function tryAll(runtimes: readonly Runtime[]): Promise<(Row & { readonly holds: boolean })[]> {
  const rows: (Row & { readonly holds: boolean })[] = [];
  const waiting = [...runtimes.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      rows[next[0]] = await tryOn(next[1]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return rows;
}

/** True where the page shows the table, or has just been told it. */
function isShown(table: string): boolean {
  if (values.write === true) writeBlock(TABLE, table);
  if (readBlock(TABLE) === table) return true;
  console.error(
    'docs/bundlers.md shows another table: `npm run test:runtimes -- --write` writes this one there',
  );
  return false;
}

const folder = mkdtempSync(join(tmpdir(), 'headgate-runtimes-'));
const host = await startHost();
const hooks = await startHooks();
try {
  unpackInto(folder);
  linkDependencies(folder, ['@photostructure/sqlite']);
  const runtimes = runtimesIn(folder);
  await bundle(folder, {
    streamHost: host.url,
    hooks: hooks.url,
    signing: (readVectors('signing.json') as { readonly vectors: readonly SigningVector[] }).vectors,
    re2: readVectors('re2.json') as Re2Vectors,
    matches,
    transforms,
  });
  const wanted = runtimes.filter(
    ({ name }) => positionals.length === 0 || positionals.some((word) => name.startsWith(word)),
  );
  const rows = await tryAll(wanted);
  const table = tableOf(rows);
  console.log(`\n${table}\n`);
  const hold = rows.every(({ holds }) => holds);
  process.exitCode = hold && (positionals.length > 0 || isShown(table)) ? 0 : 1;
} finally {
  hooks.stop();
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
}
