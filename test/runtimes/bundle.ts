/** The programs that the runtimes run, made in the folder of a user of the package. */
import { join } from 'node:path';
import { build, type Options } from 'tsup';
import type { Given } from './given.js';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const source = (program: string): string => join(import.meta.dirname, 'programs', `${program}.ts`);

/** Finds the package in the folder: this repository has its name too. */
const packageIn = (folder: string): Plugin => ({
  name: 'the packed package',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^headgate/ }, ({ path, kind, pluginData }) =>
      pluginData === folder ? null : resolve(path, { kind, resolveDir: folder, pluginData: folder }),
    );
  },
});

/**
 * Makes the programs: `command.mjs` and `command.cjs`, which import the package by its name, as the runtime finds it;
 * and `worker.mjs`, `compat-worker.mjs` and `page.mjs`, which hold it.
 */
export async function bundle(folder: string, given: Given): Promise<void> {
  const shared: Options = {
    config: false,
    outDir: folder,
    target: 'es2022',
    splitting: false,
    silent: true,
    define: { GIVEN: JSON.stringify(given) },
    esbuildOptions(options) {
      // tsconfig.json says that `headgate` means the sources.
      delete options.tsconfig;
      options.tsconfigRaw = '{}';
    },
  };
  const holding = (conditions: string[], ...programs: string[]): Options => ({
    ...shared,
    entry: programs.map(source),
    format: 'esm',
    platform: 'browser',
    outExtension: () => ({ js: '.mjs' }),
    noExternal: [/^headgate/, 're2js'],
    external: [/^node:/],
    esbuildPlugins: [packageIn(folder)],
    esbuildOptions(options, context) {
      shared.esbuildOptions?.(options, context);
      options.conditions = conditions;
    },
  });
  await build({
    ...shared,
    entry: [source('command')],
    format: ['esm', 'cjs'],
    platform: 'node',
    external: [/^headgate/],
    outExtension: ({ format }) => ({ js: format === 'esm' ? '.mjs' : '.cjs' }),
  });
  await build(holding(['workerd', 'worker', 'browser'], 'worker', 'compat-worker'));
  await build(holding(['browser'], 'page'));
}
