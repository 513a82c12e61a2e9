import { defineConfig } from 'tsup';

/** Sub-path → its door. The folder names of `adapters` are left out of what users import. */
export const entries = {
  index: 'src/index.ts',
  'signing/index': 'src/signing/index.ts',
  'signing/web': 'src/signing/web.ts',
  'delivery/index': 'src/delivery/index.ts',
  'memory/index': 'src/adapters/memory/index.ts',
  'sqlite/index': 'src/adapters/sqlite/index.ts',
  'postgres/index': 'src/adapters/postgres/index.ts',
  'opentelemetry/index': 'src/adapters/opentelemetry/index.ts',
  'http/index': 'src/adapters/http/index.ts',
  're2-wasm/index': 'src/patterns/re2-wasm/index.ts',
  'testing/index': 'src/testing/index.ts',
};

export default defineConfig({
  entry: entries,
  format: ['esm', 'cjs'],
  target: 'node20',
  // TypeScript 6 deprecates what tsup's declaration build still sets.
  dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
  // One copy of the error classes for all sub-paths, so that `instanceof` holds across them.
  splitting: true,
  removeNodeProtocol: false,
  clean: true,
  // No file does anything by being imported, so none is imported for that.
  treeshake: { moduleSideEffects: false },
  // The output keeps names and lines as they are written; maps would be two thirds of the package.
  sourcemap: false,
});
