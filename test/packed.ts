/** The packed tarball in a folder, as its users have it, for programs that import it by its name. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { newest } from './files.js';

const root = resolve(import.meta.dirname, '..');

/** Packs the built package into a folder, and unpacks it in its node_modules. */
export function unpackInto(folder: string): void {
  if (newest(join(root, 'dist')) < newest(join(root, 'src'))) {
    throw new Error('dist is older than src: run `npm run build` first');
  }
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const json = execFileSync('npm', packing, { cwd: root, encoding: 'utf8' });
  const [{ filename }] = JSON.parse(json) as [{ readonly filename: string }];
  const home = join(folder, 'node_modules', 'headgate');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', home, '--strip-components=1']);
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true }\n');
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

/**
 * Links the packages that npm would install with the package, for a folder outside of this repository.
 *
 * @param also - Optional peers that are there too.
 */
export function linkDependencies(folder: string, also: readonly string[]): void {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  for (const name of [...Object.keys(dependencies), ...also]) link(name, folder);
}

function link(name: string, folder: string): void {
  const to = join(folder, 'node_modules', name);
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), to);
}
