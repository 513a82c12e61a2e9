/** Tests of the built site: `npm run test:docs`. */
import { defineConfig } from 'vitest/config';

const DEADLINE_MS = 600_000;

export default defineConfig({
  root: import.meta.dirname,
  test: { include: ['*.built.ts'], testTimeout: DEADLINE_MS, hookTimeout: DEADLINE_MS },
});
