import { defineConfig } from 'vitest/config';
import { documentBlocks } from './test/docs/blocks.js';

/** Ends a test that hangs. A hundred times what is usual, since the machine may have much else to do. */
const DEADLINE_MS = 300_000;

export default defineConfig({
  test: {
    // The documents print; what they print is of interest only where they fail.
    silent: 'passed-only',
    reporters: ['default', './test/near-deadlines.ts'],
    teardownTimeout: 120_000,
    // Most tests wait for a disk, a socket or a database. With three at a time, a counted claim of Postgres has read more pages
    // than its law allows.
    maxWorkers: 2,
    coverage: {
      include: ['src/**/*.ts'],
      // Runs when the package is built.
      exclude: ['src/testing/declare-absent.ts', '**/*.d.ts'],
      reporter: ['text-summary', 'html', 'json-summary'],
      thresholds: {
        'src/rules/**': { branches: 98 },
        'src/signing/**': { branches: 98 },
        'src/delivery/{body,delivery,fan-out,retry,transition}.ts': { branches: 98 },
      },
    },
    projects: [
      {
        plugins: [documentBlocks()],
        // 'headgate' and 'headgate/*' mean the sources here, as tsconfig.json says.
        resolve: { tsconfigPaths: true },
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/dist/**', '**/node_modules/**'],
          globalSetup: 'test/postgres/server.ts',
          testTimeout: DEADLINE_MS,
          hookTimeout: DEADLINE_MS,
          expect: { poll: { timeout: DEADLINE_MS } },
          // Stryker's faults are no faults of type; without the compiler each run of it is much shorter.
          typecheck: {
            enabled: !('STRYKER_MUTATOR_WORKER' in process.env),
            include: ['test/types/**/*.test-d.ts'],
            ignoreSourceErrors: true,
          },
        },
      },
      {
        // The host sees the built package, as a user's code does.
        test: {
          name: 'host',
          include: ['examples/host/test/**/*.test.ts'],
          globalSetup: 'test/postgres/server.ts',
          testTimeout: DEADLINE_MS,
          hookTimeout: DEADLINE_MS,
          expect: { poll: { timeout: DEADLINE_MS } },
        },
      },
      {
        // The pages of the host in a real browser: `npm run test:dashboard`, which builds them before.
        test: {
          name: 'dashboard',
          include: ['examples/host/test/dashboard/**/*.browser.ts'],
          globalSetup: 'test/postgres/server.ts',
          testTimeout: DEADLINE_MS,
          hookTimeout: DEADLINE_MS,
          expect: { poll: { timeout: DEADLINE_MS } },
        },
      },
      {
        test: {
          name: 'dist',
          include: ['test/dist/**/*.test.ts'],
          globalSetup: 'test/dist/setup.ts',
          testTimeout: DEADLINE_MS,
          hookTimeout: DEADLINE_MS,
        },
      },
    ],
  },
});
