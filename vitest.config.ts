import { defineConfig } from 'vitest/config';
import { documentBlocks } from './test/docs/blocks.js';

/** Ends a test that hangs. A hundred times what is usual, since the machine may have much else to do. */
const DEADLINE_MS = 300_000;

const deadlines = {
  testTimeout: DEADLINE_MS,
  hookTimeout: DEADLINE_MS,
  // Ends first, so that it is told what was waited for.
  expect: { poll: { timeout: DEADLINE_MS / 2 } },
};

/** Tests of the sources that need a process of their own: they replace modules or globals, or take gigabytes. */
const UNIT_APART = [
  'test/adapters/http/**/*.test.ts',
  'test/adapters/opentelemetry/**/*.test.ts',
  'test/adapters/rows-read/**/*.test.ts',
  'test/delivery/{scheduler-runtimes,warnings}.test.ts',
  'test/docs/{blocks.slow,runners}.test.ts',
  'test/hostile/**/*.test.ts',
  'test/peers.test.ts',
  'test/rules/{hostile,worst-events}.slow.test.ts',
  'test/rules/match/closures.slow.test.ts',
  'test/rules/operators/invented.test.ts',
  'test/rules/rule-index/cost-{faults,laws}.slow.test.ts',
];

/** A test of the sources: 'headgate' and 'headgate/*' mean them, as tsconfig.json says. */
const sources = { plugins: [documentBlocks()], resolve: { tsconfigPaths: true } };
const unit = { ...deadlines, globalSetup: 'test/postgres/server.ts' };
const host = { ...deadlines, globalSetup: ['test/postgres/server.ts', 'examples/host/test/db/templates.ts'] };

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
        ...sources,
        test: {
          ...unit,
          name: 'unit',
          // To start a process and import the sources takes longer than most of these files.
          isolate: false,
          // An `exclude` here would take the place of that of `npm test`.
          include: ['test/**/*.test.ts', '!test/dist/**', ...UNIT_APART.map((path) => `!${path}`)],
        },
      },
      { ...sources, test: { ...unit, name: 'unit-apart', include: UNIT_APART } },
      // The host sees the built package, as a user's code does.
      { test: { ...host, name: 'host', isolate: false, include: ['examples/host/test/**/*.test.ts'] } },
      {
        // The pages of the host in a real browser: `npm run test:dashboard`, which builds them before.
        test: {
          ...host,
          name: 'dashboard',
          isolate: false,
          include: ['examples/host/test/dashboard/**/*.browser.ts'],
        },
      },
      {
        test: {
          ...deadlines,
          name: 'dist',
          include: ['test/dist/**/*.test.ts'],
          globalSetup: 'test/dist/setup.ts',
        },
      },
    ],
  },
});
