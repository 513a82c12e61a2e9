/**
 * The measured code, made into one file as the package is: what runs a `.ts` file directly also changes how it runs.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

const bench = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Under the folder of the peers, so that what is measured finds them. */
const OUT = bench('node_modules/.cache/headgate-bench');

/**
 * Bundles processes that measure.
 *
 * @param entry - Their files in this folder, by name.
 * @returns Gives the path of the file to run, by name.
 */
export async function bundle<Name extends string>(
  entry: Readonly<Record<Name, string>>,
): Promise<(name: Name) => string> {
  await build({
    entry: Object.fromEntries(Object.entries<string>(entry).map(([name, path]) => [name, bench(path)])),
    outDir: OUT,
    config: false,
    format: 'esm',
    target: 'node20',
    tsconfig: bench('tsconfig.json'),
    outExtension: () => ({ js: '.mjs' }),
    external: ['tsup', 'cli-progress', 'cli-table3', 'picocolors', 'bullmq', 'pg', 'pg-boss', 'undici'],
    dts: false,
    sourcemap: 'inline',
    silent: true,
  });
  return (name) => `${OUT}/${name}.mjs`;
}
