/**
 * All benches of the host, one after the other: `npm run bench:host`, and `npm run bench:host -- --smoke` for the
 * shortest form. Words that follow go to each.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const BENCHES = [
  'accept',
  'sustained',
  'latency',
  'memory',
  'idle',
  'tenants',
  'replays',
  'lists',
  'deliveries',
  'dashboard',
  'pages',
];

const failed = BENCHES.filter((name) => {
  const script = join(import.meta.dirname, `${name}.ts`);
  const { status } = spawnSync(process.execPath, [...process.execArgv, script, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  return status !== 0;
});
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
