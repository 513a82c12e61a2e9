/** The libraries on a real Postgres: `npm run test:outbox`. */
import { defineConfig } from 'vitest/config';

const DEADLINE_MS = 300_000;

export default defineConfig({
  root: import.meta.dirname,
  test: {
    globalSetup: ['./built.ts', '../../../test/postgres/server.ts'],
    maxWorkers: 2,
    testTimeout: DEADLINE_MS,
    hookTimeout: DEADLINE_MS,
  },
});
