/** Builds the apps that have a build, in copies of their folders, before any test. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BUILDS, BUILT, HOME } from './apps.js';
import { assertBuilt } from '../../../test/files.js';
import { installCommand } from '../../../test/install.js';
import { run } from './running.js';

/** Called by vitest. */
export default async function build(): Promise<void> {
  assertBuilt();
  rmSync(BUILT, { recursive: true, force: true });
  mkdirSync(BUILT);
  cpSync(join(HOME, 'orders.ts'), join(BUILT, 'orders.ts'));
  cpSync(join(HOME, 'test/mistakes/reading.ts'), join(BUILT, 'reading.ts'));
  installCommand(['redis-server', '--version'], 'redis-server');
  const builds = Object.entries(BUILDS);
  // Two at a time: the builds use about one core each.
  const work = async (): Promise<void> => {
    for (let next = builds.shift(); next !== undefined; next = builds.shift()) await buildApp(...next);
  };
  await Promise.all([work(), work()]);
}

async function buildApp(name: string, command: readonly string[]): Promise<void> {
  const folder = join(BUILT, name);
  cpSync(join(HOME, name), folder, { recursive: true });
  cpSync(join(HOME, 'test/mistakes', name), folder, { recursive: true });
  cpSync(join(HOME, 'package.json'), join(folder, 'package.json'));
  await run(command, folder);
}
