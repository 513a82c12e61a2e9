/**
 * How a worker is bundled, from its sources and for the build: one file with its packages. Of its time to start, 40 %
 * went into finding and reading the files of packages.
 *
 * The module that opens SQLite is not bundled, so that it finds the copy that the process already has. Two copies do
 * not see each other's locks, and one overwrites what the other wrote.
 *
 * @type {import('esbuild').BuildOptions & { external: string[] }}
 */
export const bundling = {
  ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20' },
  external: ['headgate/sqlite', 'pg-native'],
  supported: { 'top-level-await': false }, // see serve.ts
  // A thread has to read all of it. Names stay, for the stacks of errors.
  ...{ minifyWhitespace: true, minifySyntax: true, sourcemap: false, legalComments: 'none' },
  // Packages in CommonJS ask for the modules of Node.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);",
  },
};
