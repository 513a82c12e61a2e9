/** Running code in the folder of a user of the package. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inject } from 'vitest';

/** The output of a child process, trimmed. Throws with its errors where it fails. */
export function run(code: string, format: 'module' | 'commonjs', ...flags: string[]): string {
  const argv = [...flags, `--input-type=${format}`, '--eval', code];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    cwd: inject('consumer'),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  if (stderr !== '') throw new Error(`it works, and complains: ${stderr}`);
  return stdout.trim();
}

/** The package's own sub-paths, such as `headgate/signing`. */
export const subPaths = Object.keys(manifest().exports)
  .filter((path) => path !== './package.json')
  .map((path) => path.replace('.', 'headgate'));

function manifest(): { readonly exports: object } {
  return JSON.parse(readFileSync('package.json', 'utf8')) as { readonly exports: object };
}
