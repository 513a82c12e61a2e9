/**
 * The packed tarball through every bundler: `npm run test:bundlers`, after a build. Installs what it needs, bundles
 * each program of the table for browsers and servers, runs the bundles, and prints their sizes. Exits with 0 only if no
 * bundler has warned, every program has run, each size is within its limit, and docs/bundlers.md shows these sizes. `--
 * --write` writes them there.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readCommandLine } from '../command-line.js';
import { installChromium, installPackages } from '../install.js';
import { readBlock, writeBlock } from '../marked-block.js';
import { unpackInto } from '../packed.js';
import { type Answers, onNode, onPage } from './answers.js';
import type { Bundle } from './bundler.js';
import { type Case, cases, casesOn, type Platform, slugOf, titleOf } from './cases.js';
import { type Sizes, tablesOf } from './table.js';
import { bun } from './with/bun.js';
import { esbuild } from './with/esbuild.js';
import { rollup } from './with/rollup.js';
import { type Application, buildWithTurbopack } from './with/turbopack.js';
import { vite } from './with/vite.js';
import { webpack } from './with/webpack.js';

const { values } = readCommandLine({ options: { write: { type: 'boolean' } } });

const PAGE = {
  document: resolve(import.meta.dirname, '../../docs/bundlers.md'),
  command: 'npm run test:bundlers',
};
const PLATFORMS = ['browser', 'server'] as const;
const bundlers: Readonly<Record<string, Bundle>> = { esbuild, rollup, vite, webpack, 'bun build': bun };
const TURBOPACK = 'Turbopack';

/** Inside of this repository, so that the bundlers find the packages that npm would install with this one. */
const folder = join(import.meta.dirname, 'app');
const namesOn = (platform: Platform): string[] => casesOn(platform).map(slugOf);
const names = { browser: namesOn('browser'), server: namesOn('server') };

const faults: string[] = [];
const sizes = new Map<Platform, Map<string, Map<string, number>>>(
  PLATFORMS.map((platform) => [platform, new Map()]),
);
/** Bundles that are still to be run, by platform. */
const made: Record<Platform, string[]> = { browser: [], server: [] };

const source = ({ names: imported, from, does }: Case): string => `import { ${imported} } from '${from}';
const run = async () => {
  ${does}
};
globalThis.answer = run();
`;

const sizeOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);

/** Says how long a step takes. */
async function timed<T>(name: string, step: () => T | Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await step();
  console.log(`${name}: ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  return result;
}

async function bundleWith(bundler: string, bundle: Bundle): Promise<void> {
  for (const platform of PLATFORMS) {
    const out = join(folder, 'out', bundler.replaceAll(' ', '-'), platform);
    mkdirSync(out, { recursive: true });
    const { files, warnings } = await bundle({ platform, folder, names: names[platform], out });
    faults.push(...warnings.map((warning) => `${bundler}, for a ${platform}: ${warning}`));
    const bySlug = new Map([...files].map(([name, file]) => [name, sizeOf([file])]));
    sizes.get(platform)?.set(bundler, bySlug);
    made[platform].push(...files.values());
  }
}

function measure({ warnings, filesOf }: Application): void {
  faults.push(...warnings.map((warning) => `${TURBOPACK}: ${warning}`));
  for (const platform of PLATFORMS) {
    const bySlug = new Map(names[platform].map((name) => [name, sizeOf(filesOf(platform, name))]));
    sizes.get(platform)?.set(TURBOPACK, bySlug);
  }
}

/** Every answer, of bundles and of the application's pages and routes. */
async function ask(application: Application): Promise<Answers> {
  const chromium = installChromium();
  const { url, stop } = await application.start();
  try {
    const routes = await Promise.all(
      names.server.map(async (name) => {
        const address = `${url}/api/${name}`;
        return [address, await (await fetch(address)).text()] as const;
      }),
    );
    const pages = names.browser.map((name) => `${url}/${name}`);
    return {
      ...Object.fromEntries(routes),
      ...(await onNode(made.server)),
      ...(await onPage(chromium, made.browser, pages)),
    };
  } finally {
    await stop();
  }
}

function checkLimits(all: Sizes): void {
  for (const [platform, byBundler] of all) {
    for (const [bundler, bySlug] of byBundler) {
      for (const one of casesOn(platform)) {
        const kb = (bySlug.get(slugOf(one)) ?? 0) / 1_000;
        const limit = one.limitsKb[platform] ?? 0;
        if (kb > 0 && kb <= limit) continue;
        faults.push(`${bundler}, for a ${platform}: ${titleOf(one)} has ${kb} kB; its limit is ${limit}`);
      }
    }
  }
}

/** True where the page shows these sizes, but for a tenth: it need not change with every line of code. */
function isShown(tables: string): boolean {
  if (values.write === true) writeBlock(PAGE, tables);
  const parts = (text: string): string[] => text.split(/(\d+\.\d)(?= \|)/);
  const [shown, found] = [parts(readBlock(PAGE)), parts(tables)];
  return (
    shown.length === found.length &&
    shown.every((part, nth) => {
      const other = found[nth] ?? '';
      const allowed = Math.max(0.15, Number(part) / 10);
      return part === other || Math.abs(Number(part) - Number(other)) < allowed;
    })
  );
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
try {
  await timed('installing', () => installPackages(import.meta.dirname));
  unpackInto(folder);
  for (const one of cases) writeFileSync(join(folder, `${slugOf(one)}.mjs`), source(one));
  // Turbopack is a process of its own, so the others go on beside it.
  const building = timed(TURBOPACK, () => buildWithTurbopack(folder, names));
  building.catch(() => undefined);
  for (const [name, bundle] of Object.entries(bundlers)) await timed(name, () => bundleWith(name, bundle));
  const application = await building;
  measure(application);
  const answers = await timed('running', () => ask(application));
  for (const [bundle, answer] of Object.entries(answers)) {
    if (answer !== 'right') faults.push(`${bundle} answers ${answer}`);
  }
  checkLimits(sizes);
  const tables = tablesOf(sizes);
  console.log(`\n${tables}\n\n${Object.keys(answers).length} bundles have run\n`);
  if (!isShown(tables)) {
    faults.push('docs/bundlers.md shows other sizes: `npm run test:bundlers -- --write` writes these');
  }
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
