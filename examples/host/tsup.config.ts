/**
 * The build: plain JavaScript for `node dist/main.js` and the command `headgate-host`, with the workers of its threads
 * beside it. Packages stay outside.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from 'tsup';

/** Workers are files of their own, and are looked for beside the file that starts them: all are in one folder. */
const workers = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?:^|[/\\-])worker\.ts$/.test(file))
  .map((file) => [basename(file, '.ts'), join('src', file)] as const);

export default defineConfig({
  entry: { main: 'src/main.ts', bin: 'src/bin.ts', ...Object.fromEntries(workers) },
  format: 'esm',
  target: 'node20',
  splitting: true,
  // The pages have a build of their own.
  clean: ['!dashboard'],
  removeNodeProtocol: false,
  skipNodeModulesBundle: true,
});
