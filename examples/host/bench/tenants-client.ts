/** A process that sends the events of honest projects and of a hostile one, each at its own pace. */
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { BODY, HOSTILE_BODY } from './workload.js';

const [port, seconds, hostileRate] = process.argv.slice(2).map(Number) as [number, number, number];
const HONEST_RATE = 100;
const agent = new Agent({ keepAlive: true });

const send = (path: string, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });

const times: number[] = [];
let refused = 0;

async function at(rate: number, once: (n: number) => Promise<void>): Promise<void> {
  const began = performance.now();
  const all: Promise<void>[] = [];
  for (let n = 0; n < rate * seconds; n++) {
    const due = began + (n * 1_000) / rate;
    if (due > performance.now()) await sleep(due - performance.now());
    all.push(once(n));
  }
  await Promise.all(all);
}

/** The first second warms up. */
const warm = performance.now() + 1_000;
await Promise.all([
  at(HONEST_RATE, async (n) => {
    const began = performance.now();
    const status = await send(`/in/${1 + (n % 4)}`, BODY);
    if (status !== 202) refused++;
    else if (began > warm) times.push(performance.now() - began);
  }),
  at(hostileRate, async () => void (await send('/in/0', HOSTILE_BODY))),
]);
await sleep(1_000);
times.sort((a, b) => a - b);
process.send?.({ times, refused }, () => process.exit(0));
