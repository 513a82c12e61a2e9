/**
 * Measures deliveries a second end to end (claim, sign, POST 1 KB, settle), as a share of undici alone.
 *
 *     npm ci --prefix bench && npx tsx bench/throughput.ts [memory] [sqlite] [postgres] [pg-boss] [bullmq]
 *
 * All post the same 1 KB to the same receiver, which is a process of its own, with 64 and with 256 attempts in flight.
 * Rounds of 8,000 deliveries, all due at once over 50 endpoints, are interleaved; a share is of undici's rate in the
 * same round, and its figure the median over rounds. BullMQ needs a redis-server on the machine, Postgres is
 * DATABASE_URL or one of our own.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { bundle } from './running/bundle.js';
import { readBenchLine } from './running/command-line.js';
import type { Measuring } from './throughput/measuring.js';
import { findPostgres, startReceiver, startRedis } from './throughput/servers.js';

const { positionals: only, smoke } = readBenchLine({ allowPositionals: true });
const built = await bundle({
  'throughput-measuring': 'throughput/measuring.ts',
  'throughput-receiver': 'throughput/receiver.ts',
});
const receiver = await startReceiver(built('throughput-receiver'));
const postgres = await findPostgres();
const redis = await startRedis();
const measuring: Measuring = {
  url: `http://127.0.0.1:${receiver.at}/in`,
  postgres: postgres.at,
  redisPort: redis?.at ?? null,
  only,
  ...(smoke ? { rounds: 1, count: 400 } : { rounds: 7, count: 8_000 }),
};
for (const concurrency of ['64', '256']) {
  console.log(`${concurrency} attempts in flight`);
  const env = { ...process.env, CONCURRENCY: concurrency };
  const execArgv = ['--expose-gc'];
  const child = fork(built('throughput-measuring'), [JSON.stringify(measuring)], { env, execArgv });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}
await Promise.all([receiver.stop(), postgres.stop(), redis?.stop()]);
