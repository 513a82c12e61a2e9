/**
 * Measures the cost of signing and verifying, as a share of the HMAC alone and beside other libraries.
 *
 *     npm ci --prefix bench && npx tsx bench/signing.ts
 *
 * Every contender is first held to accept what is genuine and to refuse what is not. Rounds are interleaved, so that a
 * busy machine slows all alike; a figure is the median over rounds of process CPU time.
 */
import { createHmac } from 'node:crypto';
import { createSigner, createVerifier } from '../src/signing/index.js';
import { readBenchLine } from './running/command-line.js';
import { type Contender, type Delivery, deliveries, type Form, forms, secret } from './signing/deliveries.js';
import { loadPeers } from './signing/peers.js';

const { smoke } = readBenchLine({});
const SIZES = smoke ? [100, 1024] : [100, 1024, 16 * 1024, 64 * 1024];
const ROUNDS = smoke ? 1 : 41;
/** CPU time of one measurement, in microseconds. */
const SLICE = smoke ? 200 : 8_000;
/** Calls before the first measurement. */
const WARM_UP = smoke ? 20 : 10_000;

/** The least work that gives the MAC: one update over a payload that is already in one piece. */
const raw: Contender = {
  name: 'createHmac',
  forms,
  sign: ({ payload }, form) => createHmac('sha256', secret).update(payload[form]).digest('hex'),
  verify: ({ payload }, form) => createHmac('sha256', secret).update(payload[form]).digest('hex') !== '',
};

/** The same written by hand by somebody who has the body and the time: two updates, the secret as a string. */
const byHand: Contender = {
  name: 'createHmac, two updates',
  forms,
  sign: ({ timestamp, body }, form) =>
    createHmac('sha256', secret).update(`${timestamp}.`).update(body[form]).digest('hex'),
  verify: (delivery, form) =>
    delivery.headers['svc-signature']!.endsWith(String(byHand.sign(delivery, form))),
};

const signer = createSigner({ secrets: secret });
const verifier = createVerifier({ secrets: secret });
const headgate: Contender = {
  name: 'headgate',
  forms,
  sign: ({ body, timestamp }, form) => signer.signature(body[form], timestamp),
  verify({ body, headers }, form) {
    try {
      return verifier(body[form], headers).timestamp > 0;
    } catch {
      return false;
    }
  },
};

type Act = 'sign' | 'verify';
const contenders = [raw, byHand, headgate, ...(await loadPeers())];

for (const contender of contenders.slice(1)) await prove(contender);
for (const act of ['sign', 'verify'] as const) {
  for (const form of forms) await compare(act, form);
}

async function prove({ name, forms, verify }: Contender): Promise<void> {
  for (const form of forms) {
    const [genuine, other] = deliveries(1024, 2) as [Delivery, Delivery];
    const forged = { ...genuine, body: other.body };
    if (!(await verify(genuine, form))) throw new Error(`${name} refuses a genuine delivery as ${form}`);
    if (await verify(forged, form)) throw new Error(`${name} accepts a forged delivery as ${form}`);
  }
}

/** Prints a table: a row for each contender, microseconds and share of raw for each size. */
async function compare(act: Act, form: Form): Promise<void> {
  const field = contenders.filter(({ forms }) => forms.includes(form));
  const table: Record<string, Record<string, string>> = Object.fromEntries(
    field.map(({ name }) => [name, {}]),
  );
  for (const size of SIZES) {
    const rounds = await measure(field, act, form, deliveries(size, 64));
    for (const [nth, { name }] of field.entries()) {
      const time = median(rounds.map((row) => row[nth]!));
      const share = median(rounds.map((row) => row[0]! / row[nth]!));
      table[name]![`${size} B`] = `${time.toFixed(2)} µs ×${share.toFixed(2)}`;
    }
  }
  console.log(`\n${act}, body as ${form}: CPU time, share of createHmac`);
  console.table(table);
}

/** Microseconds a call: a row for each round, a column for each contender. */
async function measure(field: Contender[], act: Act, form: Form, pool: Delivery[]): Promise<number[][]> {
  const loops = field.map((contender) => loopOver(contender[act], form, pool));
  const counts: number[] = [];
  for (const loop of loops) counts.push(await calibrate(loop));
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const row: number[] = [];
    for (const [nth, loop] of loops.entries()) row.push((await loop(counts[nth]!)) / counts[nth]!);
    rounds.push(row);
  }
  return rounds;
}

/** Runs `call` that often over the pool and returns the CPU time it took, in microseconds. */
type Loop = (times: number) => Promise<number>;

function loopOver(call: Contender['verify'] | Contender['sign'], form: Form, pool: Delivery[]): Loop {
  return async (times) => {
    const before = process.cpuUsage();
    for (let i = 0; i < times; i++) {
      const result = call(pool[i % pool.length]!, form);
      if (result instanceof Promise) await result;
    }
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
}

/** Calls that fill a slice, found on warm code. */
async function calibrate(loop: Loop): Promise<number> {
  await loop(WARM_UP);
  const tried = Math.ceil(WARM_UP / 5);
  return Math.ceil((SLICE * tried) / (await loop(tried)));
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}
