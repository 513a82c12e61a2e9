/**
 * The tests that mutants are tried on: the quick ones. Laws with thousands of runs, hostile sizes, sockets,
 * documents and the tarball find little more there, and take hours.
 */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ['test/{rules,patterns,signing,delivery}/**/*.test.ts', 'test/{json,sorted,unicode}.test.ts'],
    exclude: [
      'test/rules/rule-index/{laws,cost-laws,cost-faults}.slow.test.ts',
      'test/rules/{hostile.slow,properties.slow,properties-faults,templates/templates}.test.ts',
      'test/patterns/{differential.slow,re2js,re2-wasm.slow}.test.ts',
      'test/delivery/scheduler*.test.ts',
      'test/signing/differential.test.ts',
    ],
    testTimeout: 30_000,
  },
});
