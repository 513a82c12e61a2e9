/**
 * Does one project hurt the others? Four honest projects send 100 events of 1 KB a second in all; a hostile one sends ten of
 * 1 MiB, on which each of its 25 rules spends its whole budget.
 *
 *     npx tsx examples/host/bench/tenants.ts [--seconds 20]
 *
 * For the honest ones, without the hostile one and with it: the time to the 202, and from receipt to the recorded decision.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../src/db/index.js';
import { newId } from '../src/ground/ids.js';
import { decidingOf, insertProject, listenerOf } from './parts.js';
import { HOSTILE_RULES, RULES } from './workload.js';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const SECONDS = Number(values.seconds);

const percentile = (sorted: readonly number[], share: number): string =>
  (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(0).padStart(5);

async function measure(isAttacked: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
  const { DATABASE_URL: postgres = '' } = process.env;
  const db = await openDatabase(
    postgres === ''
      ? { sqlite: join(folder, 'host.db') }
      : { postgres, schema: `bench_${Date.now().toString(36)}` },
  );
  const projects = Array.from({ length: 5 }, () => newId(Date.now()));
  for (const project of projects) await insertProject(db, project);
  const [hostile = ''] = projects;
  const deciding = decidingOf(db, (project) => (project === hostile ? HOSTILE_RULES : RULES));
  deciding.start();
  const server = createServer(listenerOf(db, (name) => projects[Number(name)] ?? null, deciding));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = fork(join(import.meta.dirname, 'tenants-client.ts'), [
    `${port}`,
    `${SECONDS}`,
    isAttacked ? '10' : '0',
  ]);
  const [{ times, refused }] = (await once(client, 'message')) as [{ times: number[]; refused: number }];
  const rows = await db.all<{ lag: number | null }>(
    'select decided_at - received_at as lag from events where project_id <> $1',
    [hostile],
  );
  const lags = rows.map(({ lag }) => lag ?? Infinity).sort((a, b) => a - b);
  const hostileRows = await db.get<{ n: number; open: number }>(
    `select count(*) as n, count(decide_at) as open from events where project_id = $1`,
    [hostile],
  );
  console.log(
    `${isAttacked ? 'attacked' : 'at peace'}  202: p50 ${percentile(times, 0.5)} p99 ${percentile(times, 0.99)} ms` +
      `   decided: p50 ${percentile(lags, 0.5)} p99 ${percentile(lags, 0.99)} ms` +
      `   ${times.length} sent, ${refused} refused; hostile: ${hostileRows?.n} stored, ${hostileRows?.open} undecided`,
  );
  server.closeAllConnections();
  server.close();
  await deciding.stop();
  await db.close();
  rmSync(folder, { recursive: true });
}

await measure(false);
await measure(true);
process.exit(0);
