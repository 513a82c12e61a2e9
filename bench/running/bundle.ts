/** The measured code, made into one file as the package is: what runs a `.ts` file directly also changes how it runs. */
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Under the folder of the peers, so that what is measured finds them. */
const OUT = here('../node_modules/.cache/headgate-bench');

/** Bundles the process that measures; gives the path of the file to run. */
export async function bundle(): Promise<string> {
  await build({
    entry: { measuring: here('measuring.ts') },
    outDir: OUT,
    config: false,
    format: 'esm',
    target: 'node20',
    tsconfig: here('../tsconfig.json'),
    outExtension: () => ({ js: '.mjs' }),
    external: ['tsup', 'cli-progress', 'cli-table3', 'picocolors'],
    dts: false,
    sourcemap: 'inline',
    silent: true,
  });
  return `${OUT}/measuring.mjs`;
}
