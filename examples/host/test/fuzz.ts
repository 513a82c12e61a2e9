/**
 * `npm run fuzz:host`: the fuzz of the API with many more requests than a test run has; `FUZZ_REQUESTS` says how many.
 */
import { spawnSync } from 'node:child_process';
import { env, execPath } from 'node:process';

const FUZZ = 'examples/host/test/api/fuzz.slow.test.ts';
const { FUZZ_REQUESTS = '200000' } = env;
const { status } = spawnSync(execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'host', FUZZ], {
  stdio: 'inherit',
  env: { ...env, FUZZ_REQUESTS },
});
process.exitCode = status ?? 1;
