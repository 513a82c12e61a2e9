/** Packs the built package and installs it into an empty folder, as a user would have it. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { assertBuilt } from '../files.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder whose node_modules holds the package and nothing but what it depends on. */
    consumer: string;
    /** Every path in the tarball. */
    packed: readonly string[];
  }
}

export default function setup(project: TestProject): () => void {
  assertBuilt();
  const consumer = realpathSync(mkdtempSync(join(tmpdir(), 'headgate-consumer-')));
  project.provide('packed', install(consumer));
  project.provide('consumer', consumer);
  return () => rmSync(consumer, { recursive: true });
}

/** @returns The paths in the tarball. */
function install(consumer: string): string[] {
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', consumer];
  const [packed] = JSON.parse(execFileSync('npm', packing, { encoding: 'utf8' })) as [Packed];
  const home = join(consumer, 'node_modules', 'headgate');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', join(consumer, packed.filename), '-C', home, '--strip-components=1']);
  writeFileSync(join(consumer, 'package.json'), '{ "name": "consumer", "private": true }\n');
  dependencies().forEach((name) => link(name, consumer));
  return packed.files.map(({ path }) => path);
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** The packages that npm would install with this one, and the types of Node. */
function dependencies(): string[] {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    string,
    object
  >;
  return [...Object.keys({ ...dependencies, ...peerDependencies }), '@types/node', 'undici-types'];
}

function link(name: string, consumer: string): void {
  const to = join(consumer, 'node_modules', name);
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(resolve('node_modules', name), to);
}
