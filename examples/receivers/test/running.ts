/** Servers of apps, each in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUILT, HOME, SECRET, type App } from './apps.js';
import { join } from 'node:path';
import { freePort } from '../../../test/free-port.js';

/** An app that answers. */
export interface Running {
  readonly port: number;
  readonly path: string;
  /** All that it has printed, on both of its outputs. */
  readonly printed: () => string;
  readonly stop: () => Promise<void>;
}

const QUIET = { NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' };

/** Resolves once the app answers. */
export async function start({ path, serve, folder, env }: App): Promise<Running> {
  const port = await freePort();
  const [command = '', ...words] = await serve(port);
  const child = spawn(command, words, {
    cwd: folder === undefined ? HOME : join(BUILT, folder),
    env: {
      ...process.env,
      ...QUIET,
      HOST: '127.0.0.1',
      PORT: `${port}`,
      SIGNING_SECRET: SECRET,
      NODE_ENV: 'production',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let text = '';
  const print = (chunk: Buffer): void => void (text += chunk.toString());
  child.stdout.on('data', print);
  child.stderr.on('data', print);
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${command} ${words.join(' ')} ended:\n${text}`);
    await sleep(50);
  }
  return { port, path, printed: () => text, stop: () => stop(child) };
}

const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    async (answer) => (await answer.arrayBuffer()).byteLength >= 0,
    () => false,
  );

/** Ends a server, and the processes that it has started. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await over;
}

/** Runs a command to its end; rejects with what it has printed where it fails. */
export async function run([command = '', ...words]: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, words, { cwd, env: { ...process.env, ...QUIET, NODE_ENV: 'production' } });
  let text = '';
  const print = (chunk: Buffer): void => void (text += chunk.toString());
  child.stdout.on('data', print);
  child.stderr.on('data', print);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${words.join(' ')} ended with ${code}:\n${text}`);
}
