/**
 * How long an event takes from its request to the receivers of two endpoints and to two SDK clients, at 200 events a
 * second.
 *
 *     npx tsx examples/host/bench/latency.ts [--smoke] [--only sqlite|postgres]
 *
 * Sender and receivers are one process, with one clock. Times count from when a request was due.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import { listening } from './listening.js';
import { sendPaced } from './load.js';
import { receiving, Spans } from './receiving.js';
import { benchOptions, percentile, printTable } from './table.js';
import { addProject, build, cpuOf, type DatabaseName, startWhole, stopShared } from './whole.js';
import { BODY, RULES } from './workload.js';

const { isSmoke, databases } = benchOptions();
const RATE = 200;
const SECONDS = isSmoke ? 3 : 20;
const WARM_MS = isSmoke ? 1_000 : 5_000;
/** For what is still under way at the end. */
const PATIENCE_MS = 10_000;

async function measure(database: DatabaseName): Promise<void> {
  const host = await startWhole(database);
  const [endpoints, clients] = [
    [new Spans(), new Spans()],
    [new Spans(), new Spans()],
  ];
  const receivers = await Promise.all(endpoints.map((spans) => receiving((id, at) => spans.end(id, at))));
  const project = await addProject(host, { rules: RULES, endpoints: receivers.map(({ url }) => url) });
  const connected = await Promise.all(
    clients.map((spans, i) =>
      listening(host, project, `bench-${i}`, (id) => spans.end(id, performance.now())),
    ),
  );
  const spans = [...endpoints, ...clients];
  const cpu = cpuOf(host.pid);
  const { times, refused } = await sendPaced(project.address, [BODY], {
    ...{ rate: RATE, seconds: SECONDS, warmMs: WARM_MS },
    accepted: (id, dueAt) => spans.forEach((one) => one.begin(id, dueAt)),
  });
  const deadline = performance.now() + PATIENCE_MS;
  while (!spans.every(({ isComplete }) => isComplete) && performance.now() < deadline) await sleep(50);
  const used = cpuOf(host.pid) - cpu;
  const row = (what: string, all: readonly number[], target: string) => ({
    'request to': what,
    'p50, ms': percentile(all, 0.5).toFixed(1),
    'p99, ms': percentile(all, 0.99).toFixed(1),
    events: all.filter(Number.isFinite).length,
    target,
  });
  const joined = (of: readonly Spans[]): number[] => of.flatMap((one) => one.times()).sort((a, b) => a - b);
  printTable(
    `${RATE} events a second, ${database}; ${refused} refused, ${((used / SECONDS / 1_000) * 100).toFixed(0)} % of a core`,
    [
      row('the 202', times, ''),
      row('receivers', joined(endpoints), 'p50 ≤ 50'),
      row('SDK clients', joined(clients), 'p99 ≤ 100'),
    ],
  );
  await Promise.all(connected.map((client) => client.close()));
  await host.stop();
  receivers.forEach((one) => one.stop());
}

build();
for (const database of databases) await measure(database);
await stopShared();
