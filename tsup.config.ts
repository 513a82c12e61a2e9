import { relative, resolve } from 'node:path';
import { defineConfig, type Options } from 'tsup';

/** Sub-path → its door. The folder names of `adapters` are left out of what users import. */
export const entries = {
  index: 'src/index.ts',
  'slim/index': 'src/slim/index.ts',
  'signing/index': 'src/signing/index.ts',
  'signing/web': 'src/signing/web.ts',
  'receiver/index': 'src/receiver/index.ts',
  'client/index': 'src/client/index.ts',
  'publisher/index': 'src/publisher/index.ts',
  'delivery/index': 'src/delivery/index.ts',
  'memory/index': 'src/adapters/memory/index.ts',
  'sqlite/index': 'src/adapters/sqlite/index.ts',
  'postgres/index': 'src/adapters/postgres/index.ts',
  'opentelemetry/index': 'src/adapters/opentelemetry/index.ts',
  'http/index': 'src/adapters/http/index.ts',
  're2-wasm/index': 'src/patterns/re2-wasm/index.ts',
  'testing/index': 'src/testing/index.ts',
};

/**
 * Files of the ES modules that have a chunk of their own, besides what they share. Bundlers leave out whole files that nothing
 * asks for, and cannot tell that of the halves of one. Each file costs Node half a millisecond when it loads, so there are no
 * more of them than bundles can feel.
 */
const units = [
  'patterns/check',
  'rules/compile',
  'rules/dry-run/dry-run',
  'rules/explain',
  'rules/lint/lint',
  'rules/portable/export',
  'rules/portable/import',
  'rules/rule-set',
  'rules/schema/rule-schema',
  'rules/templates/index',
  'rules/transform/diff',
  'rules/validate/quota',
  'rules/validate/rule',
];

const shared: Options = {
  target: 'node20',
  // One copy of the error classes for all sub-paths, so that `instanceof` holds across them.
  splitting: true,
  removeNodeProtocol: false,
  // No file does anything by being imported, so none is imported for that.
  treeshake: { moduleSideEffects: false },
  // The output keeps names and lines as they are written; maps would be two thirds of the package.
  sourcemap: false,
};

/** TypeScript 6 deprecates what tsup's declaration build still sets. */
const dts: Options['dts'] = { entry: entries, compilerOptions: { ignoreDeprecations: '6.0' } };

/**
 * The command enters the built package by its doors, as users do, so that the other files are the same with and without it.
 */
const doors: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'doors',
  setup: (build) =>
    build.onResolve({ filter: /^\.\.\// }, ({ path, resolveDir }) => {
      const source = relative('.', resolve(resolveDir, path)).replaceAll('\\', '/').replace(/\.js$/, '.ts');
      const [entry] = Object.entries(entries).find(([, file]) => file === source) ?? [];
      return entry === undefined ? null : { path: `../${entry}.js`, external: true };
    }),
};

export default defineConfig([
  {
    ...shared,
    entry: { ...entries, ...Object.fromEntries(units.map((unit) => [unit, `src/${unit}.ts`])) },
    format: 'esm',
    dts,
  },
  { ...shared, entry: entries, format: 'cjs', dts },
  // The command `headgate`: it has no types, and nothing imports it.
  { ...shared, entry: ['src/cli/index.ts'], outDir: 'dist/cli', format: 'esm', esbuildPlugins: [doors] },
]);
