/**
 * Measures how late retries start when a thousand are due every second.
 *
 *     npm ci --prefix bench && npx tsx bench/lateness.ts
 *
 * Ten thousand deliveries over 50 endpoints are enqueued ahead, one due each millisecond for ten seconds. Lateness is
 * from when an attempt is due to its start, as the `attempted` callback reports it. The receiver is a separate process.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { bundle } from './running/bundle.js';
import { readBenchLine } from './running/command-line.js';
import type { LatenessMeasuring } from './throughput/lateness.js';
import { findPostgres, startReceiver } from './throughput/servers.js';

const { smoke } = readBenchLine({});
const built = await bundle({
  'lateness-measuring': 'throughput/lateness.ts',
  'throughput-receiver': 'throughput/receiver.ts',
});
const receiver = await startReceiver(built('throughput-receiver'));
const postgres = await findPostgres();
const measuring: LatenessMeasuring = {
  url: `http://127.0.0.1:${receiver.at}/in`,
  postgres: postgres.at,
  ...(smoke ? { count: 500, aheadMs: 1_500 } : { count: 10_000, aheadMs: 5_000 }),
};
const child = fork(built('lateness-measuring'), [JSON.stringify(measuring)]);
const [code] = (await once(child, 'exit')) as [number | null];
await Promise.all([receiver.stop(), postgres.stop()]);
process.exitCode = code ?? 1;
