/**
 * Events that are accepted by the host, and by a bare node:http server that group-commits the same rows to the same
 * store.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rule } from 'headgate';
import { startReceiver, startSender } from './asked.js';
import type { Sent } from './load.js';
import { median, percentile } from './table.js';
import { addProject, cpuOf, type DatabaseName, postgresUrl, startWhole } from './whole.js';

/** Connections that send. */
const CONNECTIONS = 64;
/** Endpoints that receive each event. */
const ENDPOINTS = 2;

/** The result of one round. */
interface Round {
  readonly perSecond: number;
  /** Processor time of an accepted event until it was delivered, in µs. */
  readonly cpu: number;
  readonly p99: number;
  readonly refused: number;
}

/** The host, or the bare server. */
interface Side {
  readonly name: string;
  readonly address: string;
  readonly pid: number;
  /** The ones that were measured. */
  readonly rounds: Round[];
}

/** Both servers, and what sends to them. */
interface Accepting {
  readonly bare: Side;
  readonly host: Side;
  /** Measures rounds, which alternate between the two. */
  measure(rounds: number): Promise<void>;
  /** The host's part of what the bare server accepts a second, the median of rounds. */
  ratio(): number;
  /** Sends to the host alone, at a rate. */
  sendAt(rate: number, seconds: number): Promise<Sent>;
  stop(): Promise<void>;
}

interface Limit {
  readonly address: string;
  readonly pid: number;
  stop(): Promise<void>;
}

async function startLimit(database: DatabaseName): Promise<Limit> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
  const args =
    database === 'postgres' ? [await postgresUrl(), `limit_${process.pid}`] : [join(folder, 'limit.db')];
  const child = fork(join(import.meta.dirname, 'limit-process.ts'), args);
  const [address] = (await once(child, 'message')) as [string];
  return {
    ...{ address, pid: child.pid ?? 0 },
    async stop() {
      child.kill();
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts both, and warms them up.
 *
 * @param events - Events of a round.
 */
export async function startAccepting(
  database: DatabaseName,
  { rules, events }: { readonly rules: readonly Rule[]; readonly events: number },
): Promise<Accepting> {
  const [limit, receiver, whole] = [
    await startLimit(database),
    await startReceiver(),
    await startWhole(database),
  ];
  const sender = startSender();
  const project = await addProject(whole, {
    rules,
    endpoints: Array.from({ length: ENDPOINTS }, (_, i) => `${receiver.url}/${i}`),
  });
  let due = 0;
  /** Work that a round leaves behind does not fall into the next. */
  const delivered = async (): Promise<void> => {
    while ((await receiver.received()) < due) await sleep(50);
  };
  const round = async ({ address, pid }: Side): Promise<Round> => {
    const began = cpuOf(pid);
    const { ms, times, refused } = await sender.send({
      ...{ send: address, count: events, connections: CONNECTIONS },
    });
    if (pid === whole.pid) due += ENDPOINTS * times.length;
    await delivered();
    const cpu = ((cpuOf(pid) - began) / times.length) * 1_000;
    return { perSecond: (times.length / ms) * 1_000, cpu, p99: percentile(times, 0.99), refused };
  };
  const bare = { name: 'bare node:http', address: limit.address, pid: limit.pid, rounds: [] as Round[] };
  const host = { name: 'the host', address: project.address, pid: whole.pid, rounds: [] as Round[] };
  for (const side of [bare, host]) await round(side);
  return {
    ...{ bare, host },
    async measure(rounds) {
      for (let i = 0; i < rounds; i++) {
        for (const side of [bare, host]) side.rounds.push(await round(side));
      }
    },
    ratio: () =>
      median(host.rounds.map(({ perSecond }, i) => perSecond / (bare.rounds[i]?.perSecond ?? NaN))),
    sendAt: (rate, seconds) => sender.send({ send: project.address, rate, seconds }),
    async stop() {
      sender.stop();
      receiver.stop();
      await Promise.all([limit.stop(), whole.stop()]);
    },
  };
}
