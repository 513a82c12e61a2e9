/**
 * The build: plain JavaScript for `node dist/main.js` and the command `headgate-host`, whose packages stay outside, and
 * beside it the workers of its threads, each in one file with its packages.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { bundling } from './src/threads/bundling.mjs';

/** Workers are files of their own, and are looked for beside the file that starts them: all are in one folder. */
const workers = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?:^|[/\\-])worker\.ts$/.test(file))
  .map((file) => [basename(file, '.ts'), join('src', file)] as const);

const common: Options = { format: 'esm', target: 'node20', removeNodeProtocol: false };

export default defineConfig([
  {
    ...common,
    entry: { main: 'src/main.ts', bin: 'src/bin.ts' },
    splitting: true,
    skipNodeModulesBundle: true,
  },
  {
    ...common,
    entry: Object.fromEntries(workers),
    splitting: false,
    noExternal: [/^/],
    external: bundling.external,
    esbuildOptions: (options) => void Object.assign(options, bundling),
  },
]);
