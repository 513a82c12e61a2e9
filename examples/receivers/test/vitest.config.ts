/** The apps of this package: `npm run test:receivers`. */
import { defineConfig } from 'vitest/config';

const DEADLINE_MS = 300_000;

export default defineConfig({
  root: import.meta.dirname,
  test: {
    globalSetup: './build.ts',
    maxWorkers: 2,
    testTimeout: DEADLINE_MS,
    hookTimeout: DEADLINE_MS,
    expect: { poll: { timeout: DEADLINE_MS } },
  },
});
