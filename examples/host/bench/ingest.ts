/**
 * How fast events are taken in and decided, beside a bare node:http server that group-commits the same rows.
 *
 *     npx tsx examples/host/bench/ingest.ts                              on SQLite
 *     DATABASE_URL=postgres://… npx tsx examples/host/bench/ingest.ts    on Postgres
 *
 * Each line: accepted requests a second, processor time of the process for each (its threads too), and for the whole
 * path also when the last event was decided. Events of 1 KB, 20 rules, two endpoints, 64 connections.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../src/db/index.js';
import { newId } from '../src/ids.js';
import { bareListener, storeAsHost } from './bare-server.js';
import { CHANNEL, decidingOf, insertProject, listenerOf } from './parts.js';
import { RULES } from './workload.js';

const EVENTS = Number(process.env.EVENTS ?? 20_000);

async function open(): Promise<readonly [db: Database, project: string, close: () => Promise<void>]> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
  const { DATABASE_URL: postgres = '' } = process.env;
  const db = await openDatabase(
    postgres === ''
      ? { sqlite: join(folder, 'host.db') }
      : { postgres, schema: `bench_${Date.now().toString(36)}` },
  );
  const project = newId(Date.now());
  await insertProject(db, project);
  const close = async (): Promise<void> => {
    await db.close();
    rmSync(folder, { recursive: true });
  };
  return [db, project, close];
}

interface Measured {
  readonly perSecond: number;
  readonly cpu: number;
  readonly p99: number;
}

/** Sends requests from another process, and measures this one. */
async function load(listener: RequestListener, warm: number): Promise<Measured> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const send = async (count: number): Promise<Measured> => {
    const client = fork(join(import.meta.dirname, 'client.ts'), [`${port}`, `${count}`]);
    const [{ p99 }] = (await once(client, 'message')) as [{ p99: number }];
    return { p99, perSecond: 0, cpu: 0 };
  };
  await send(warm);
  const [cpu, began] = [process.cpuUsage(), performance.now()];
  const client = fork(join(import.meta.dirname, 'client.ts'), [`${port}`, `${EVENTS}`]);
  const [{ p99, ms }] = (await once(client, 'message')) as [{ p99: number; ms: number }];
  const used = process.cpuUsage(cpu);
  server.closeAllConnections();
  server.close();
  void began;
  return { perSecond: (EVENTS / ms) * 1_000, cpu: (used.user + used.system) / EVENTS, p99 };
}

const show = (what: string, { perSecond, cpu, p99 }: Measured, more = ''): void =>
  console.log(
    `${what.padEnd(28)} ${perSecond.toFixed(0).padStart(7)}/s  ${cpu.toFixed(0).padStart(5)} µs CPU  p99 ${p99.toFixed(0)} ms  ${more}`,
  );

{
  const [db, project, close] = await open();
  show('bare node:http', await load(bareListener(storeAsHost(db, project, CHANNEL)), 2_000));
  await close();
}
{
  const [db, project, close] = await open();
  show(
    'ingest alone',
    await load(
      listenerOf(db, () => project, { hasRoom: () => false, take: () => undefined }),
      2_000,
    ),
  );
  await close();
}
{
  const [db, project, close] = await open();
  const deciding = decidingOf(db, () => RULES);
  deciding.start();
  const cpu = process.cpuUsage();
  const began = performance.now();
  const measured = await load(
    listenerOf(db, () => project, deciding),
    2_000,
  );
  const left = `select count(*) as n from events where status = 'received'`;
  const undecided = await db.get<{ n: number }>(left);
  while (((await db.get<{ n: number }>(left))?.n ?? 0) > 0) await sleep(20);
  const used = process.cpuUsage(cpu);
  const all = EVENTS + 2_000;
  show(
    'ingest and deciding',
    measured,
    `${undecided?.n ?? 0} undecided then; all decided at ${((all / (performance.now() - began)) * 1_000).toFixed(0)}/s, ${((used.user + used.system) / all).toFixed(0)} µs CPU`,
  );
  await deciding.stop();
  await close();
}
process.exit(0);
