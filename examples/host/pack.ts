/**
 * Lays out the package `headgate-host`, once all of it is built, for `npm pack FOLDER` and `npm publish FOLDER`:
 * `npm run pack:host -- FOLDER`. Here the host takes the library from the repository; the package takes it from the
 * registry, in the version of the same commit.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Files that the package does not work without; the others are chunks of these. */
const BUILT = [
  'dist/bin.js',
  'dist/main.js',
  'dist/dashboard/index.html',
  'dist/dashboard/portal.html',
  'dist/dashboard/licenses.txt',
];

/** Members of package.json that only the repository needs. */
const UNPUBLISHED = ['private', 'scripts', 'devDependencies', 'allowScripts'];

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const [folder = ''] = process.argv.slice(2);
if (folder === '') throw new Error('name a folder: npm run pack:host -- FOLDER');
if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);
const missing = BUILT.filter((path) => !existsSync(join(import.meta.dirname, path)));
if (missing.length > 0) throw new Error(`not built: ${missing.join(', ')}`);

mkdirSync(folder, { recursive: true });
for (const name of ['dist', 'README.md']) copy(join(import.meta.dirname, name), name);
copy(join(ROOT, 'LICENSE'), 'LICENSE');
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`);

function copy(from: string, name: string): void {
  cpSync(from, join(folder, name), { recursive: true });
}

function published(): object {
  const { version } = manifestIn(ROOT);
  const { dependencies, ...manifest } = manifestIn(import.meta.dirname);
  const shown = Object.entries(manifest).filter(([name]) => !UNPUBLISHED.includes(name));
  return { ...Object.fromEntries(shown), version, dependencies: { ...dependencies, headgate: version } };
}

function manifestIn(home: string): Manifest {
  return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Manifest;
}
