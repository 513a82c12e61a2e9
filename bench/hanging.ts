/**
 * Measures how much an endpoint that hangs delays the others.
 *
 *     npx tsx bench/hanging.ts [--store sqlite] [--rate 300] [--backlog 10000] [--seconds 12] [--rounds 5]
 *
 * A thousand healthy endpoints, each an origin of its own, get `rate` deliveries a second in all. In every other round
 * one more endpoint gets a tenth as many, has `backlog` due already, and lets each attempt hang until it is given up
 * after 10 s. It measures the time from the moment a delivery is due to the moment its answer is there, over the
 * healthy ones: enqueueing, claiming, signing, connecting and answering. Rounds are interleaved, each with a store and
 * a scheduler of its own and the options that a scheduler has by default; the receivers are a process of their own.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createHttpTransport } from '../src/adapters/http/index.js';
import { createMemoryStore } from '../src/adapters/memory/index.js';
import {
  createScheduler,
  defaultRetryPolicy,
  type DeliveryStore,
  type Dispatch,
  newDelivery,
  type Transport,
} from '../src/delivery/index.js';
import { createSigner } from '../src/signing/index.js';
import { readBenchLine } from './running/command-line.js';

const HEALTHY = 1_000;
const HANGING = 'hanging';
/** Milliseconds between two enqueues. */
const TICK_MS = 10;
const body = Buffer.from(JSON.stringify({ id: 'evt_1', type: 'webhook.received', data: 'x'.repeat(950) }));

/** Measurements of one round, over the healthy deliveries. */
interface Round {
  /** Milliseconds from due to answered, ascending. */
  readonly latencies: readonly number[];
  /** Attempts at the endpoint that hangs. */
  readonly hung: number;
}

interface OpenStore {
  readonly store: DeliveryStore;
  close(): void;
}

if (process.argv[2] === 'receiver') receive();
else await compare();

/** Answers every POST with 200, save those to the endpoint that hangs. */
function receive(): void {
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      if (incoming.url !== `/${HANGING}`) outgoing.end('ok');
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.once('disconnect', () => process.exit());
}

async function compare(): Promise<void> {
  const { values, smoke } = readBenchLine({
    options: {
      store: { type: 'string', default: 'memory' },
      rate: { type: 'string', default: '300' },
      backlog: { type: 'string', default: '10000' },
      seconds: { type: 'string', default: '12' },
      rounds: { type: 'string', default: '5' },
    },
  });
  const receiver = fork(fileURLToPath(import.meta.url), ['receiver']);
  const port = await new Promise<number>((resolve) =>
    receiver.once('message', (message) => resolve(Number(message))),
  );
  const rate = Number(values.rate);
  const [seconds, count] = smoke ? [1, 1] : [Number(values.seconds), Number(values.rounds)];
  const run = async (hangs: boolean, seconds: number): Promise<Round> => {
    const opened = await openStore(values.store);
    const backlog = hangs ? Number(values.backlog) : null;
    const round = await deliver({ store: opened.store, port, rate, seconds, backlog });
    opened.close();
    return round;
  };
  if (!smoke) await run(true, 2); // warms up
  const rounds: { without: Round; with: Round }[] = [];
  for (let n = 0; n < count; n++) {
    rounds.push({
      without: await run(false, seconds),
      with: await run(true, seconds),
    });
  }
  receiver.disconnect();
  report(
    rounds,
    `${values.store} store, ${rate} healthy deliveries a second, milliseconds from due to answered`,
  );
}

interface RoundOptions {
  readonly store: DeliveryStore;
  readonly port: number;
  /** Healthy deliveries a second. */
  readonly rate: number;
  readonly seconds: number;
  /** Deliveries that wait for the endpoint that hangs when the round begins; `null` where there is no such endpoint. */
  readonly backlog: number | null;
}

async function deliver({ store, port, rate, seconds, backlog }: RoundOptions): Promise<Round> {
  const dueAt = new Map<string, number>();
  const latencies: number[] = [];
  let hung = 0;
  const lookup: LookupFunction = (_hostname, _options, callback) => callback(null, '127.0.0.1', 4);
  const transport = createHttpTransport({ allow: ['127.0.0.0/8'], lookup });
  const timed: Transport = {
    async send(request, signal) {
      const due = dueAt.get(request.headers['Svc-Event-Id'] ?? '');
      if (due === undefined) hung++;
      const outcome = await transport.send(request, signal);
      if (due !== undefined && outcome.ok) latencies.push(performance.now() - due);
      return outcome;
    },
    close: () => transport.close(),
  };
  const scheduler = createScheduler({
    store,
    transport: timed,
    endpoints: (id) => ({ url: `http://${id}.test:${port}/${id}`, ...defaultRetryPolicy }),
    signer: createSigner({ secrets: 'whsec_test' }),
  });

  let made = 0;
  const dispatch = (endpoint: string): Dispatch => {
    const event = { id: `evt_${made++}`, type: 'webhook.received' };
    if (endpoint !== HANGING) dueAt.set(event.id, performance.now());
    return { body, deliveries: [newDelivery(event, endpoint, { at: Date.now() })] };
  };
  await store.enqueue(Array.from({ length: backlog ?? 0 }, () => dispatch(HANGING)));
  scheduler.start();
  const startedAt = performance.now();
  for (let healthy = 0; healthy < rate * seconds; await setTimeout(TICK_MS)) {
    const wanted = Math.min(((performance.now() - startedAt) / 1_000) * rate, rate * seconds);
    const dispatches: Dispatch[] = [];
    for (; healthy < wanted; healthy++) {
      dispatches.push(dispatch(`healthy-${healthy % HEALTHY}`));
      if (backlog !== null && healthy % 10 === 0) dispatches.push(dispatch(HANGING));
    }
    await store.enqueue(dispatches);
    scheduler.wake();
  }
  while (latencies.length < dueAt.size) await setTimeout(TICK_MS);
  await scheduler.stop({ signal: AbortSignal.abort() });
  await transport.close();
  return { latencies: ascending(latencies), hung };
}

async function openStore(kind: string): Promise<OpenStore> {
  if (kind === 'memory') return { store: createMemoryStore(), close: () => undefined };
  const { createSqliteStore } = await import('../src/adapters/sqlite/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'headgate-'));
  const store = createSqliteStore({ path: join(folder, 'deliveries.db') });
  const close = (): void => {
    store.close();
    rmSync(folder, { recursive: true });
  };
  return { store, close };
}

function report(rounds: readonly { without: Round; with: Round }[], title: string): void {
  const row = (pick: (round: (typeof rounds)[number]) => Round): Record<string, string | number> => {
    const p99s = rounds.map((round) => quantile(pick(round).latencies, 0.99));
    const latencies = ascending(rounds.flatMap((round) => pick(round).latencies));
    return {
      deliveries: latencies.length,
      'hung attempts': rounds.reduce((sum, round) => sum + pick(round).hung, 0),
      p50: quantile(latencies, 0.5).toFixed(2),
      p99: quantile(ascending(p99s), 0.5).toFixed(2),
      'p99 by round': p99s.map((p99) => p99.toFixed(1)).join(' '),
    };
  };
  const table = { without: row((round) => round.without), with: row((round) => round.with) };
  console.log(title);
  console.table(table);
  const share = Number(table.with.p99) / Number(table.without.p99);
  console.log(`p99 (the median over rounds) with the endpoint that hangs: ${share.toFixed(2)} of without`);
}

function ascending(figures: readonly number[]): readonly number[] {
  return figures.toSorted((a, b) => a - b);
}

/** @param sorted - Ascending. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? NaN;
}
