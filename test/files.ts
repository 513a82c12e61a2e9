/** Reading the tree, for the tests that look at the files themselves. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Every file under `root`, as a path from the working directory with forward slashes, sorted. */
export function filesUnder(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
    .sort();
}

/** When the newest of the wanted files at or under `path` was written, in Unix milliseconds; 0 where there is none. */
export function newest(path: string, wanted: (path: string) => boolean = () => true): number {
  if (!existsSync(path)) return 0;
  const files = statSync(path).isDirectory() ? filesUnder(path) : [path];
  return Math.max(0, ...files.filter(wanted).map((file) => statSync(file).mtimeMs));
}

/** For tests of the built package, which must be that of the sources. */
export function assertBuilt(): void {
  if (newest('dist') < newest('src')) throw new Error('dist is older than src: run `npm run build` first');
}
