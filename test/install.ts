/** Installs what a folder of tests needs besides the packages of the project. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the packages of a folder's lockfile, unless they are there. No script of theirs runs: binaries ship inside
 * of packages.
 *
 * @returns The folder of the packages.
 */
export function installPackages(folder: string): string {
  const modules = join(folder, 'node_modules');
  const installed = join(modules, '.installed');
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return modules;
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', ...flags], { cwd: folder, stdio: 'inherit' });
  writeFileSync(installed, lock);
  return modules;
}

const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The path of Chromium: the one that CHROMIUM names, or the system's, which is installed where there is none. */
export function installChromium(): string {
  const { CHROMIUM: named } = process.env;
  if (named !== undefined) return named;
  if (!CHROMIUM.some((path) => existsSync(path))) installFromDebian('chromium');
  return found(CHROMIUM);
}

/** Installs the packages of a command that does not run. */
export function installCommand(
  [name, ...args]: readonly [string, ...string[]],
  ...debian: readonly string[]
): void {
  if (spawnSync(name, args).status !== 0) installFromDebian(...debian);
}

function installFromDebian(...names: readonly string[]): void {
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], {
    stdio: 'inherit',
  });
}

/** The first of some paths where something is. */
export function found(paths: readonly string[]): string {
  const path = paths.find((one) => existsSync(one));
  if (path === undefined) throw new Error(`it is at none of ${paths.join(', ')}`);
  return path;
}
