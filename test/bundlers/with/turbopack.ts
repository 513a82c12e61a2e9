/**
 * Turbopack, which comes inside of Next.js: one application with a page for each program in browsers, and a route for
 * each on servers.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../free-port.js';
import { ended, printed, started } from '../../runtimes/children.js';
import type { Platform } from '../cases.js';

const NEXT = join(import.meta.dirname, '../node_modules/next/dist/bin/next');

/**
 * It tells nobody of its use, looks for nothing that is not installed, and warns of no cache where it would see that it
 * is in CI.
 */
const ENVIRONMENT = {
  ...{ PATH: process.env.PATH, HOME: process.env.HOME },
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
  NEXT_IGNORE_INCORRECT_LOCKFILE: '1',
} as const;

/** A program that imports nothing: the weight of the framework. */
const NOTHING = 'nothing';

const page = (program: string): string => `import { useEffect } from 'react';
${program}
export default function Page() {
  useEffect(() => void Promise.resolve(globalThis.answer).then((answer) => parent.postMessage(answer, '*')), []);
  return null;
}
`;

const route = (program: string): string => `${program}
const { answer } = globalThis;
export default async function handler(_, response) {
  response.status(200).send(String(await answer));
}
`;

/** A built application. */
export interface Application {
  readonly warnings: readonly string[];
  /** The files that a program adds to those of the framework. */
  readonly filesOf: (platform: Platform, name: string) => readonly string[];
  /** Starts it; its address, at which `/<name>` is a page and `/api/<name>` a route. */
  readonly start: () => Promise<{ readonly url: string; readonly stop: () => Promise<void> }>;
}

/** Builds the application in the folder of the programs. */
export async function buildWithTurbopack(
  folder: string,
  names: Readonly<Record<Platform, readonly string[]>>,
): Promise<Application> {
  const pages = join(folder, 'pages');
  mkdirSync(join(pages, 'api'), { recursive: true });
  const write = (kind: Platform, name: string, program: string): void =>
    kind === 'browser'
      ? writeFileSync(join(pages, `${name}.js`), page(program))
      : writeFileSync(join(pages, 'api', `${name}.js`), route(program));
  for (const kind of ['browser', 'server'] as const) {
    const up = kind === 'browser' ? '..' : '../..';
    for (const name of names[kind]) write(kind, name, `import '${up}/${name}.mjs';`);
    write(kind, NOTHING, '');
  }
  const root = JSON.stringify(resolve(import.meta.dirname, '../../..'));
  const config = `export default { turbopack: { root: ${root} }, bundlePagesRouterDependencies: true };\n`;
  writeFileSync(join(folder, 'next.config.mjs'), config);
  const said = await printed(process.execPath, [NEXT, 'build'], { cwd: folder, env: ENVIRONMENT });
  return {
    warnings: /warn|⚠/i.test(said) ? [said] : [],
    filesOf: (platform, name) => filesOf(join(folder, '.next'), platform, name),
    start: () => start(folder),
  };
}

function filesOf(built: string, platform: Platform, name: string): readonly string[] {
  const usual = new Set(traced(built, platform, NOTHING));
  return traced(built, platform, name).filter((file) => !usual.has(file));
}

/** The scripts of a page, or the chunks of a route. */
function traced(built: string, platform: Platform, name: string): string[] {
  if (platform === 'browser') {
    const { pages } = readJson(join(built, 'build-manifest.json')) as {
      readonly pages: Readonly<Record<string, readonly string[]>>;
    };
    return (pages[`/${name}`] ?? []).map((file) => join(built, file));
  }
  const folder = join(built, 'server/pages/api');
  const { files } = readJson(join(folder, `${name}.js.nft.json`)) as { readonly files: readonly string[] };
  return files.map((file) => join(folder, file)).filter((file) => /\/server\/chunks\/.*\.js$/.test(file));
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

async function start(folder: string): ReturnType<Application['start']> {
  const port = await freePort();
  const flags = ['start', '--hostname', '127.0.0.1', '--port', `${port}`];
  const server = started(process.execPath, [NEXT, ...flags], { cwd: folder, env: ENVIRONMENT });
  const url = `http://127.0.0.1:${port}`;
  const isUp = (): Promise<boolean> =>
    fetch(`${url}/api/${NOTHING}`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (server.exitCode !== null) throw new Error(`next start ended with ${server.exitCode}`);
    await sleep(100);
  }
  return { url, stop: () => ended(server) };
}
