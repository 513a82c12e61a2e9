/** Processes of a run: each is waited for, and ended with it. */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';

/** Longest time that a runtime may take, in milliseconds; usual are three seconds. */
const PATIENCE_MS = 180_000;

/** Ends a process of {@link started}, and those that it has started. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const over = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGKILL');
  await over;
}

/** Starts a process that runs until it is told to, in a group of its own. What it prints is of no interest. */
export const started = (command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess =>
  spawn(command, args, { ...options, stdio: 'ignore', detached: true });

/** The output of a process; rejects unless it ends well and in time. */
export function printed(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: PATIENCE_MS });
  let out = '';
  let complaint = '';
  child.stdout.on('data', (text) => (out += String(text)));
  child.stderr.on('data', (text) => (complaint += String(text)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`${command} ended with ${code}: ${complaint.slice(-2_000)}`));
    });
  });
}

/** Rejects when something takes too long. */
export function inTime<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
