/**
 * Prepares `npm start` and `npm run host`: installs and builds what is out of date; told `library`, only the library.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const HOST = join(import.meta.dirname, '..');
const TSUP = join(ROOT, 'node_modules/tsup/dist/cli-default.js');
const VITE = join(HOST, 'node_modules/vite/bin/vite.js');

/** A step, and the files that tell whether it is needed. */
interface Step {
  /** Printed while the step runs. */
  readonly says: string;
  readonly from: readonly string[];
  /** Written by the step, last of all. */
  readonly to: string;
  readonly command: readonly string[];
  readonly folder: string;
}

const STEPS: readonly Step[] = [
  {
    says: 'Installing what the host needs',
    from: [join(HOST, 'package-lock.json')],
    to: join(HOST, 'node_modules/.package-lock.json'),
    command: npm('ci', '--no-audit', '--no-fund', '--silent'),
    folder: HOST,
  },
  {
    says: 'Building the library',
    from: ['src', 'tsup.config.ts', 'package.json'].map((name) => join(ROOT, name)),
    to: join(ROOT, 'dist/index.js'),
    command: [process.execPath, TSUP, '--no-dts', '--silent'],
    folder: ROOT,
  },
  {
    says: 'Building the host',
    from: ['src', 'tsup.config.ts', 'package.json'].map((name) => join(HOST, name)),
    to: join(HOST, 'dist/main.js'),
    command: [process.execPath, TSUP, '--silent'],
    folder: HOST,
  },
  {
    says: 'Building the dashboard',
    from: ['dashboard', 'src/client', 'package.json'].map((name) => join(HOST, name)),
    to: join(HOST, 'dist/dashboard/index.html'),
    command: [process.execPath, VITE, 'build', 'dashboard', '--logLevel', 'warn'],
    folder: HOST,
  },
];

const IS_ALONE = process.argv[2] === 'library';
for (const step of STEPS) {
  if ((!IS_ALONE || step.folder === ROOT) && isNeeded(step)) run(step);
}

/** The npm that runs this script, without a shell; else the one of the path. */
function npm(...words: readonly string[]): readonly string[] {
  const { npm_execpath: script } = process.env;
  return script === undefined ? ['npm', ...words] : [process.execPath, script, ...words];
}

function isNeeded({ from, to }: Step): boolean {
  return !existsSync(to) || Math.max(...from.map(newest)) > statSync(to).mtimeMs;
}

/** Unix ms of the last change below a path. */
function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(...readdirSync(path).map((name) => newest(join(path, name))));
}

function run({ says, command: [program = '', ...words], folder }: Step): void {
  process.stdout.write(`${says} … `);
  const began = performance.now();
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' });
  if (status === 0) {
    process.stdout.write(`${((performance.now() - began) / 1_000).toFixed(1)} s\n`);
    return;
  }
  process.stdout.write('failed\n');
  process.stderr.write(`${error?.message ?? ''}${stdout}${stderr}`);
  process.exit(1);
}
