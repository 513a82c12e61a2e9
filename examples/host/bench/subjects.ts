/** Programs that take events and deliver them: the host, and the bare program. Both say how much they have recorded. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Rule } from 'headgate';
import { ask, begin, told } from './asked.js';
import type { BareOrder } from './bare-process.js';
import {
  addProject,
  ADMIN_KEY,
  cpuOf,
  type DatabaseName,
  newSchema,
  postgresUrl,
  startWhole,
  type Whole,
} from './whole.js';

/** Events and deliveries that a process has recorded since its start. */
export interface Recorded {
  /** Events with a decision on the disk. */
  readonly decided: number;
  /** Deliveries that arrived and are recorded as delivered. */
  readonly delivered: number;
}

/** One program, in one process or several. */
export interface Subject {
  readonly name: string;
  /** The addresses that its events are sent to: a list for each of its groups of projects. */
  readonly addresses: readonly string[];
  /** Processor time so far, in ms. */
  cpu(): number;
  /** In the order of its processes. */
  recorded(): Promise<readonly Recorded[]>;
  stop(): Promise<void>;
}

/** The settings of a subject. */
export interface SubjectOptions {
  readonly database: DatabaseName;
  /** Each event is sent to all of them. */
  readonly endpoints: readonly string[];
  /** Certificates that it trusts, by the path of a file. */
  readonly trusts?: string;
}

const trusting = ({ trusts }: SubjectOptions): Readonly<Record<string, string>> =>
  trusts === undefined ? {} : { NODE_EXTRA_CA_CERTS: trusts };

/** One project may send more than its limit to one process: the limit is not what is measured. */
const UNLIMITED = { HEADGATE_PROJECT_BYTES_PER_SECOND: '1073741824' };

async function recordedBy({ url }: Whole): Promise<Recorded> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const read = (line: RegExp): number => Number(line.exec(text)?.[1] ?? 0);
  return {
    decided: read(/^headgate_decisions_total\{outcome="deliver"\} (\d+)$/m),
    delivered: read(/^headgate_deliveries_total\{state="delivered"\} (\d+)$/m),
  };
}

/** Hosts on one database, and what they are to have. */
export interface HostOptions extends SubjectOptions {
  readonly rules: readonly Rule[];
  /** @defaultValue `1` */
  readonly projects?: number;
  /** More than one need Postgres; all processes have the addresses of all projects. @defaultValue `1` */
  readonly processes?: number;
}

/** Starts processes on one empty database. Its addresses are those of all projects in each process. */
export async function startHosts(options: HostOptions): Promise<Subject> {
  const { database, endpoints, rules, projects = 1, processes = 1 } = options;
  const settings = {
    ...trusting(options),
    ...UNLIMITED,
    ...(database === 'postgres' && { HEADGATE_SCHEMA: newSchema() }),
  };
  const hosts: Whole[] = [];
  for (let i = 0; i < processes; i++) hosts.push(await startWhole(database, settings));
  const paths: string[] = [];
  for (let i = 0; i < projects; i++) {
    const { address } = await addProject(hosts[0]!, { rules, endpoints });
    paths.push(new URL(address).pathname);
  }
  const addresses = paths.flatMap((path) => hosts.map(({ url }) => url + path));
  return subjectOf(hosts, addresses);
}

/** Processes of one host as a subject. */
export const subjectOf = (hosts: readonly Whole[], addresses: readonly string[]): Subject => ({
  name: 'the host',
  addresses,
  cpu: () => hosts.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
  recorded: () => Promise.all(hosts.map(recordedBy)),
  stop: async () => void (await Promise.all(hosts.map((host) => host.stop()))),
});

/** Starts the bare program. */
export async function startBare(options: SubjectOptions): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
  const { database, endpoints } = options;
  const order: BareOrder = {
    endpoints,
    options:
      database === 'sqlite'
        ? { sqlite: join(folder, 'bare.db') }
        : { postgres: await postgresUrl(), schema: newSchema() },
  };
  const asked = begin('bare-process.ts', [JSON.stringify(order)], { ...process.env, ...trusting(options) });
  const address = await told<string>(asked);
  const { child } = asked;
  return {
    name: 'bare program',
    addresses: [address],
    cpu: () => cpuOf(child.pid ?? 0),
    recorded: async () => [await ask<Recorded>(asked, 'recorded')],
    async stop() {
      child.kill();
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
