/**
 * How a worker is bundled, from its sources and for the build: one file with all packages but those that are compiled.
 * Of its time to start, 40 % went into finding and reading the files of packages.
 */
export const bundling = {
  external: ['better-sqlite3', 'pg-native'],
  // A thread has to read all of it. Names stay, for the stacks of errors.
  ...{ minifyWhitespace: true, minifySyntax: true, sourcemap: false, legalComments: 'none' },
  // Packages in CommonJS ask for the modules of Node.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);",
  },
};
