/**
 * The built package on runtimes other than the one of the tests: `npm run test:runtimes`, after a build. Installs what it
 * needs, prints a line for each, and exits with 0 only if every check has passed on every runtime.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamHost } from '../client/stream-host.js';
import { newest } from '../files.js';
import { bundle } from './bundle.js';
import type { Report } from './checks.js';
import { printed } from './children.js';
import { onChromium } from './chromium.js';
import { onWorkerd } from './workerd.js';

const home = import.meta.dirname;
const modules = join(home, 'node_modules');

if (newest('dist') < newest('src')) {
  throw new Error('dist is older than src: run `npm run build` first');
}
const folder = mkdtempSync(join(tmpdir(), 'headgate-runtimes-'));
const command = join(folder, 'command.mjs');

/** The first of some paths where something is. */
function found(...paths: readonly string[]): string {
  const path = paths.find((one) => existsSync(one));
  if (path === undefined) throw new Error(`it is at none of ${paths.join(', ')}`);
  return path;
}

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ARM = process.arch === 'arm64';
const bun = (): string => found(join(modules, `@oven/bun-linux-${ARM ? 'aarch64' : 'x64'}/bin/bun`));
const deno = (): string => found(join(modules, `@deno/linux-${ARM ? 'arm64' : 'x64'}-glibc/deno`));
const workerd = (): string =>
  found(join(modules, `@cloudflare/workerd-linux-${ARM ? 'arm64' : '64'}/bin/workerd`));

/** Each gives a report as JSON. */
const runtimes: Readonly<Record<string, () => Promise<string>>> = {
  Node: () => printed(process.execPath, [command]),
  Bun: () => printed(bun(), [command]),
  Deno: () => printed(deno(), ['run', '--allow-net=127.0.0.1', command]),
  workerd: () => onWorkerd(workerd(), folder, []),
  'workerd with nodejs_compat': () => onWorkerd(workerd(), folder, ['nodejs_compat']),
  Chromium: () => onChromium(found(...CHROMIUM), folder),
};

/** Binaries ship inside of packages: no script of theirs has to run. */
function install(): void {
  execFileSync('npm', ['ci', '--ignore-scripts', '--silent'], { cwd: home, stdio: 'inherit' });
  if (CHROMIUM.some((path) => existsSync(path))) return;
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
    stdio: 'inherit',
  });
}

/** True where every check has passed. */
async function holdsOn(name: string, run: () => Promise<string>): Promise<boolean> {
  const began = performance.now();
  const { passed, failures } = await run().then(
    (json) => JSON.parse(json) as Report,
    (error: unknown): Report => ({ passed: 0, failures: [String(error)] }),
  );
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`${name}: ${passed} passed, ${failures.length} failed (${seconds} s)`);
  for (const failure of failures) console.log(`  ${failure}`);
  return passed > 0 && failures.length === 0;
}

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

const host = await startHost();
try {
  install();
  await bundle(folder, host.url);
  // The one package that a program may load, on a Node without a WebSocket.
  symlinkSync(join(home, '../../node_modules'), join(folder, 'node_modules'));
  let all = true;
  for (const [name, run] of Object.entries(runtimes)) all = (await holdsOn(name, run)) && all;
  process.exitCode = all ? 0 : 1;
} finally {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
}
