/**
 * Two builds of the host side by side, in one run: processor time and latency of an event from its request to the
 * receivers of two endpoints and an SDK client, at 100 events a second, and what each costs when idle.
 *
 *     cp -r examples/host/dist examples/host/dist-before     before a change
 *     npx tsx examples/host/bench/compare.ts [--smoke] [--only sqlite|postgres]
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { listening } from './listening.js';
import { sendPaced } from './load.js';
import { receiving, Spans } from './receiving.js';
import { benchOptions, median, percentile, printTable } from './table.js';
import { addProject, build, cpuOf, type DatabaseName, postgresCpu, startWhole, stopShared } from './whole.js';
import { BODY, RULES } from './workload.js';

const { isSmoke, databases } = benchOptions();
const ROUNDS = isSmoke ? 1 : 3;
const SECONDS = isSmoke ? 1 : 4;
const RATE = 100;
const IDLE_MS = isSmoke ? 1_000 : 3_000;
const PATIENCE_MS = 10_000;
const BUILDS = ['dist-before', 'dist'] as const;

interface Round {
  readonly cpu: number;
  readonly postgres: number;
  readonly idle: number;
  readonly accepted: number;
  readonly delivered: number;
}

async function start(database: DatabaseName, dist: string) {
  process.env.HOST_DIST = dist;
  const host = await startWhole(database);
  let spans = [new Spans(), new Spans(), new Spans()] as const;
  const receivers = [
    await receiving((id, at) => spans[0].end(id, at)),
    await receiving((id, at) => spans[1].end(id, at)),
  ];
  const project = await addProject(host, { rules: RULES, endpoints: receivers.map(({ url }) => url) });
  const client = await listening(host, project, 'bench', (id) => spans[2].end(id, performance.now()));
  const round = async (): Promise<Round> => {
    spans = [new Spans(), new Spans(), new Spans()];
    const [began, postgresBegan] = [cpuOf(host.pid), await postgresCpu()];
    const { times } = await sendPaced(project.address, [BODY], {
      ...{ rate: RATE, seconds: SECONDS },
      accepted: (id, dueAt) => spans.forEach((one) => one.begin(id, dueAt)),
    });
    const deadline = performance.now() + PATIENCE_MS;
    while (!spans.every(({ isComplete }) => isComplete) && performance.now() < deadline) await sleep(20);
    const cpu = ((cpuOf(host.pid) - began) / times.length) * 1_000;
    const postgres = (((await postgresCpu()) - postgresBegan) / times.length) * 1_000;
    await sleep(1_000);
    const idleFrom = cpuOf(host.pid);
    await sleep(IDLE_MS);
    const idle = ((cpuOf(host.pid) - idleFrom) / IDLE_MS) * 100;
    const [accepted, delivered] = [percentile(times, 0.5), percentile(spans[0].times(), 0.5)];
    return { cpu, postgres, idle, accepted, delivered };
  };
  const stop = async (): Promise<void> => {
    await client.close();
    await host.stop();
    receivers.forEach((one) => one.stop());
  };
  return { round, stop, rounds: [] as Round[] };
}

build();
for (const database of databases) {
  const sides = [await start(database, BUILDS[0]), await start(database, BUILDS[1])];
  for (const { round } of sides) await round(); // warms up
  for (let i = 0; i < ROUNDS; i++) {
    for (const { round, rounds } of sides) rounds.push(await round());
  }
  const of = (rounds: readonly Round[], member: keyof Round, digits: number): string =>
    median(rounds.map((round) => round[member])).toFixed(digits);
  printTable(
    `Two builds, ${database}, medians of ${ROUNDS} rounds`,
    sides.map(({ rounds }, i) => ({
      build: BUILDS[i] ?? '',
      'CPU an event, µs': of(rounds, 'cpu', 0),
      ...(database === 'postgres' && { 'CPU of Postgres, µs': of(rounds, 'postgres', 0) }),
      'request to the 202, p50, ms': of(rounds, 'accepted', 1),
      'request to a receiver, p50, ms': of(rounds, 'delivered', 1),
      'idle, % of a core': of(rounds, 'idle', 2),
    })),
  );
  for (const { stop } of sides) await stop();
}
await stopShared();
