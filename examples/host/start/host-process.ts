/** The host as a process of its own, which can be killed and started again. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Storage } from './storage.js';

/** The host's process. */
export interface HostProcess {
  /** The same after each start. */
  readonly url: string;
  /** The link that the first start has made; null if it makes none. */
  readonly signIn: string | null;
  /** Ends it as a crash would: afterwards none of its threads run. */
  kill(): Promise<void>;
  /** Starts it again after {@link HostProcess.kill}. */
  start(): Promise<void>;
  /** Asks it to stop, and waits. True if it ended well. */
  stop(): Promise<boolean>;
}

/** The message of a host that listens, which src/main.ts sends to its parent process. */
interface Listening {
  readonly listening: string;
  readonly signIn: string | null;
}

const SCRIPT = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** Longer than the host takes to stop. */
const STOP_MS = 20_000;
/** Variables of these names are the host's; those of the caller's shell are not meant for this one. */
const OURS = /^(?:HEADGATE_.*|PORT|HOST|PUBLIC_URL|DATABASE_URL|LOG_LEVEL|NODE_OPTIONS|TSX_.*)$/;

/**
 * Starts a host on this machine that may send to this machine.
 *
 * @param lost - Called when it ends without having been asked to.
 */
export async function startHost(
  storage: Storage,
  settings: { readonly port: number; readonly adminKey: string },
  lost: (problem: Error) => void,
): Promise<HostProcess> {
  const log = join(storage.folder, 'host.log');
  let isExpected = false;
  let child: ChildProcess;
  const begin = async (port: number): Promise<Listening> => {
    isExpected = false;
    child = run({ ...storage.environment, PORT: `${port}`, HEADGATE_ADMIN_KEY: settings.adminKey }, log);
    const ended = once(child, 'exit').then(() => {
      const problem = new Error(`the host has ended. The end of its log, ${log}:\n${endOf(log)}`);
      if (!isExpected) lost(problem);
      throw problem;
    });
    ended.catch(() => undefined);
    const [told] = (await Promise.race([once(child, 'message'), ended])) as [Listening];
    return told;
  };
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    isExpected = true;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exit = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    const [code] = await exit;
    return code;
  };
  const { listening: url, signIn } = await begin(settings.port);
  return {
    url,
    signIn,
    kill: async () => void (await end('SIGKILL')),
    start: async () => void (await begin(Number(new URL(url).port))),
    async stop() {
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      const code = await end('SIGTERM');
      clearTimeout(timer);
      return code === 0;
    },
  };
}

function run(settings: Readonly<Record<string, string>>, log: string): ChildProcess {
  const shell = Object.entries(process.env).filter(([name]) => !OURS.test(name));
  const file = openSync(log, 'a', 0o600);
  const child = fork(SCRIPT, {
    // Receivers listen on loopback, which customers' URLs may not name unless the operator allows it.
    env: { ...Object.fromEntries(shell), HOST: '127.0.0.1', HEADGATE_ALLOW: '127.0.0.0/8', ...settings },
    execArgv: [],
    stdio: ['ignore', file, file, 'ipc'],
    // Ctrl-C in a terminal goes to all of a group. This process alone decides when the host stops.
    detached: true,
  });
  closeSync(file);
  return child;
}

const endOf = (log: string): string => readFileSync(log, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
