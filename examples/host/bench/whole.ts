/** The whole host as a process of its own, on either database, and projects in it. */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Rule } from 'headgate';
import { type PostgresServer, startPostgres } from '../../../test/postgres/start.js';
import { type Api, createApi } from '../src/client/index.js';

/** Which database. */
export const DATABASES = ['sqlite', 'postgres'] as const;
export type DatabaseName = (typeof DATABASES)[number];

/** A host as its callers know it. */
export interface Reachable {
  readonly url: string;
  /** With the operator's key. */
  readonly api: Api;
}

/** A running host. */
export interface Whole extends Reachable {
  readonly pid: number;
  /** Connection string of its Postgres; null on SQLite. */
  readonly postgres: string | null;
  stop(): Promise<void>;
}

/** A project, ready for events. */
export interface Project {
  readonly id: string;
  /** May do everything in it. */
  readonly key: string;
  readonly api: Api;
  /** The address that its events are sent to. */
  readonly address: string;
}

const HOST = join(import.meta.dirname, '..');
export const ADMIN_KEY = 'the-admin-key-of-a-bench-0123456789abcdef';
const SEALING_KEY = `bench:${Buffer.alloc(32, 7).toString('base64')}`;
const STOP_MS = 20_000;
/** Another build of the host beside this one may be measured, to compare the two. */
const dist = (): string => process.env.HOST_DIST ?? 'dist';

/** Builds what is measured. The library's build is the one in `dist`. */
export function build(): void {
  const tsup = join(HOST, '../../node_modules/tsup/dist/cli-default.js');
  const { status, stderr } = spawnSync(process.execPath, [tsup, '--silent'], { cwd: HOST, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the host's build failed: ${stderr}`);
}

let server: Promise<PostgresServer> | null = null;

/** One server for all hosts of a bench, with its defaults: fsync is on. */
export async function postgresUrl(): Promise<string> {
  server ??= startPostgres();
  return (await server).url;
}

/** Ends what the benches of this process share. */
export async function stopShared(): Promise<void> {
  await (await server)?.stop();
  server = null;
}

let hosts = 0;

/** A schema of this bench that nobody has used yet. */
export const newSchema = (): string => `bench_${process.pid}_${++hosts}`;

/** Starts a host on an empty database. */
export async function startWhole(
  database: DatabaseName,
  settings: Readonly<Record<string, string>> = {},
): Promise<Whole> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
  const postgres = database === 'postgres' ? await postgresUrl() : null;
  const child = fork(join(HOST, dist(), 'main.js'), [], {
    env: {
      ...{ PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', HEADGATE_DATA: folder },
      ...{ HEADGATE_ALLOW: '127.0.0.0/8', HEADGATE_ADMIN_KEY: ADMIN_KEY, LOG_LEVEL: 'warn' },
      HEADGATE_SEALING_KEYS: SEALING_KEY,
      ...(postgres !== null && {
        DATABASE_URL: postgres,
        HEADGATE_SCHEMA: newSchema(),
      }),
      ...settings,
    },
    execArgv: (process.env.HOST_FLAGS ?? '').split(' ').filter((flag) => flag !== ''),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ listening: url }] = (await Promise.race([once(child, 'message'), failed(child)])) as [
    { readonly listening: string },
  ];
  return {
    ...{ url, postgres, pid: child.pid ?? 0, api: createApi({ baseUrl: url, key: ADMIN_KEY }) },
    async stop() {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function failed(child: ChildProcess): Promise<never> {
  await once(child, 'exit');
  throw new Error('the host did not start');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  child.kill('SIGTERM');
  await once(child, 'exit');
  clearTimeout(timer);
}

/** Makes a project with rules, and endpoints at these URLs. */
export async function addProject(
  { api: operator, url }: Reachable,
  options: { readonly rules: readonly Rule[]; readonly endpoints: readonly string[] },
): Promise<Project> {
  const made = await operator.createProject({ body: { name: 'bench', plan: 'scale' } });
  const { key } = made;
  const project = made.project.id;
  const api = createApi({ baseUrl: url, key });
  const channel = await api.createChannel({ project, body: { name: 'bench' } });
  for (const endpoint of options.endpoints) await api.createEndpoint({ project, body: { url: endpoint } });
  for (const { id: _, ...rule } of options.rules) await api.createRule({ project, body: rule });
  return { id: project, key, api, address: channel.url ?? '' };
}

const TICKS_A_SECOND = 100;

/** The numbers of `/proc/<pid>/stat`, from the state on; null if the process is gone. */
function statOf(pid: number | string): readonly number[] | null {
  try {
    return (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '').split(' ').map(Number);
  } catch {
    return null;
  }
}

const PARENT = 1;
/** User and system time: of a process with all its threads, and of its children that have ended. */
const OWN_TIMES = [11, 12];
const ENDED_TIMES = [13, 14];

const timeIn = (stat: readonly number[], fields: readonly number[]): number =>
  (fields.reduce((sum, field) => sum + (stat[field] ?? 0), 0) / TICKS_A_SECOND) * 1_000;

/** Processor time of a process with all its threads, in ms. Linux alone. */
export const cpuOf = (pid: number): number => timeIn(statOf(pid) ?? [], OWN_TIMES);

/**
 * Processor time of the Postgres of this bench, the sum over its processes, in ms; 0 if it does not run. Linux alone.
 */
export async function postgresCpu(): Promise<number> {
  if (server === null) return 0;
  const postmaster = (await server).pid();
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat?.[PARENT] === postmaster);
  const own = timeIn(statOf(postmaster) ?? [], [...OWN_TIMES, ...ENDED_TIMES]);
  return children.reduce((sum, stat) => sum + timeIn(stat ?? [], OWN_TIMES), own);
}

/** Memory of a process that is resident, in MiB. Linux alone. */
export function rssOf(pid: number): number {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / 1_024;
}
