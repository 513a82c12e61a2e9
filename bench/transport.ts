/**
 * Measures the deliveries a second of the HTTP transport on the loopback, as a share of undici alone.
 *
 *     npx tsx bench/transport.ts
 *
 * Both post the same 1 KB with the same headers at the same concurrency to the same receiver, which is a process of its
 * own. Rounds are interleaved, so that a busy machine slows both alike; a figure is the median over rounds.
 */
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { createHttpTransport } from '../src/adapters/http/index.js';
import { createSigner } from '../src/signing/index.js';
import { readBenchLine } from './running/command-line.js';

const { positionals, smoke } = readBenchLine({ allowPositionals: true });
const CONCURRENCY = [1, 16, 128];
const ROUNDS = smoke ? 1 : 15;
/** Wall-clock milliseconds of one round. */
const ROUND_MS = smoke ? 60 : 400;

const body = Buffer.from(
  JSON.stringify({ id: 'evt_1', type: 'webhook.received', data: { text: 'x'.repeat(950) } }),
);
const about = {
  eventId: 'evt_1',
  eventType: 'webhook.received',
  origin: 'live',
  timestamp: 1_700_000_000,
} as const;
const headers = createSigner({ secrets: 'whsec_test' }).headers(body, about);

/** Measurements of one of the two in one round. */
interface Round {
  readonly perSecond: number;
  /** Microseconds of this process's CPU time for one delivery. */
  readonly cpu: number;
}

if (positionals[0] === 'receiver') receive();
else await compare();

/** Answers every POST with 200 and two bytes. */
function receive(): void {
  const server = createServer((incoming, outgoing) => incoming.resume().on('end', () => outgoing.end('ok')));
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function compare(): Promise<void> {
  const receiver = fork(fileURLToPath(import.meta.url), ['receiver']);
  const port = await new Promise<number>((resolve) =>
    receiver.once('message', (message) => resolve(Number(message))),
  );
  const url = `http://127.0.0.1:${port}/in`;
  const transport = createHttpTransport({ allow: ['127.0.0.0/8'] });
  const agent = new Agent();
  const { signal } = new AbortController();

  const bare = async (): Promise<boolean> => {
    const response = await request(url, { dispatcher: agent, method: 'POST', headers, body });
    await response.body.dump();
    return response.statusCode === 200;
  };
  const ours = async (): Promise<boolean> => (await transport.send({ url, headers, body }, signal)).ok;
  if (!(await bare()) || !(await ours())) throw new Error('the receiver does not answer');

  const table: Record<string, Record<string, string>> = {};
  for (const concurrency of CONCURRENCY) {
    const rounds: { bare: Round; ours: Round }[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      rounds.push({ bare: await measure(bare, concurrency), ours: await measure(ours, concurrency) });
    }
    table[`${concurrency} at a time`] = row(rounds);
  }
  console.log('deliveries a second, and microseconds of CPU time for one; shares are of undici alone');
  console.table(table);
  await Promise.all([transport.close(), agent.close()]);
  receiver.kill();
}

async function measure(deliver: () => Promise<boolean>, concurrency: number): Promise<Round> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let count = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() - start < ROUND_MS) {
      if (!(await deliver())) throw new Error('a delivery failed');
      count++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (count / (performance.now() - start)) * 1_000, cpu: (user + system) / count };
}

function row(rounds: readonly { readonly bare: Round; readonly ours: Round }[]): Record<string, string> {
  const of = (figure: (round: (typeof rounds)[number]) => number): number => median(rounds.map(figure));
  return {
    'undici/s': of(({ bare }) => bare.perSecond).toFixed(0),
    'headgate/s': of(({ ours }) => ours.perSecond).toFixed(0),
    'share/s': of(({ bare, ours }) => ours.perSecond / bare.perSecond).toFixed(2),
    'undici µs': of(({ bare }) => bare.cpu).toFixed(0),
    'headgate µs': of(({ ours }) => ours.cpu).toFixed(0),
    'share µs': of(({ bare, ours }) => bare.cpu / ours.cpu).toFixed(2),
  };
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? NaN;
}
