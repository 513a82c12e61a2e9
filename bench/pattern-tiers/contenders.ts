/** The package with all tiers, and without each of them: bundles of their own, in one process. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsup';
import type * as contender from './contender.js';
import type { Tier } from './tiers.js';

export type Contender = typeof contender;

const HERE = dirname(fileURLToPath(import.meta.url));
const PATTERNS = join(HERE, '../../src/patterns');
const OUT = join(HERE, '../node_modules/.cache/headgate-tiers');

/** Two contenders that have run nothing yet. */
export interface Pair {
  readonly all: Contender;
  readonly without: Contender;
}

/**
 * All tiers, and all but one, as modules that nothing else has imported: what ran before changes how code is compiled.
 */
export async function pairWithout(tier: Tier): Promise<Pair> {
  const nothing = { ...tier, edits: [] };
  all ??= await bundleWithout(nothing);
  return { all: await imported(all), without: await imported(await bundleWithout(tier)) };
}

let all: string | undefined;
let bundled = 0;
let imports = 0;

/** A module of its own, however often the file was imported. */
const imported = async (file: string): Promise<Contender> =>
  (await import(`${pathToFileURL(file).href}?${imports++}`)) as Contender;

/** @returns The path of the file. */
async function bundleWithout({ name, edits }: Tier): Promise<string> {
  const output = `tier-${bundled++}`;
  const made = new Set<string>();
  await build({
    entry: { [output]: join(HERE, 'contender.ts') },
    outDir: OUT,
    config: false,
    format: 'esm',
    target: 'node20',
    outExtension: () => ({ js: '.mjs' }),
    dts: false,
    silent: true,
    esbuildPlugins: [
      {
        name: 'without-a-tier',
        setup({ onLoad }) {
          onLoad({ filter: /[\\/]src[\\/]patterns[\\/].*\.ts$/ }, ({ path }) => {
            const file = relative(PATTERNS, path).replaceAll('\\', '/');
            let contents = readFileSync(path, 'utf8');
            for (const edit of edits.filter((edit) => edit.file === file)) {
              if (!contents.includes(edit.text)) throw new Error(`${name}: ${file} has no ${edit.text}`);
              contents = contents.replace(edit.text, () => edit.without);
              made.add(edit.text);
            }
            return { contents, loader: 'ts' };
          });
        },
      },
    ],
  });
  if (made.size < edits.length) throw new Error(`${name}: a file of its edits was not bundled`);
  return `${OUT}/${output}.mjs`;
}
