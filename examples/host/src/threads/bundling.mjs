/**
 * How a worker is bundled, from its sources and for the build: one file with its packages. Of its time to start, 40 %
 * went into finding and reading the files of packages.
 *
 * What opens SQLite stays outside, so that it finds the copy that the process has: two copies do not see each other's
 * locks, and then one overwrites what the other wrote.
 *
 * @type {import('esbuild').BuildOptions & { external: string[] }}
 */
export const bundling = {
  external: ['headgate/sqlite', 'pg-native'],
  // A thread has to read all of it. Names stay, for the stacks of errors.
  ...{ minifyWhitespace: true, minifySyntax: true, sourcemap: false, legalComments: 'none' },
  // Packages in CommonJS ask for the modules of Node.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);",
  },
};
