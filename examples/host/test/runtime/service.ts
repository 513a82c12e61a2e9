/** The service as a process of its own, as people start it: its output, its signals, its exit code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from '../../../../test/until.js';

const HOST = join(import.meta.dirname, '../..');
/** The test's own variables of these names are not meant for the service. */
const OURS = /^(?:HEADGATE_.*|PORT|HOST|PUBLIC_URL|DATABASE_URL|LOG_LEVEL|NODE_OPTIONS)$/;

/** A process of the service. */
export interface Service {
  readonly child: ChildProcess;
  /** Its output so far. */
  readonly printed: { out: string; err: string };
  /** Resolves with the address at which it listens; rejects if it ends before. */
  readonly url: () => Promise<string>;
  /** Its exit code, once it has ended. */
  readonly exit: Promise<number | null>;
}

/** A new folder, which is removed with the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-service-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the sources, without a parent that listens. The process ends with the test. */
export function startService(
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Service {
  const own = Object.entries(process.env).filter(([name]) => !OURS.test(name));
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', ...words], {
    cwd: HOST,
    env: { ...Object.fromEntries(own), PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed.err += chunk.toString()));
  let hasEnded = false;
  const exit = once(child, 'close').then(([code]) => {
    hasEnded = true;
    return code as number | null;
  });
  onTestFinished(async () => {
    if (!hasEnded) child.kill('SIGKILL');
    await exit;
  });
  const started = (): string | undefined => /"url":"([^"]+)".*"msg":"started"/.exec(printed.out)?.[1];
  return {
    child,
    printed,
    exit,
    async url() {
      await until(() => hasEnded || started() !== undefined);
      const url = started();
      if (url === undefined) throw new Error(`it ended:\n${printed.out}${printed.err}`);
      return url;
    },
  };
}

/** Starts it, and returns its exit code and what it has printed once it has ended. */
export async function runService(environment: Readonly<Record<string, string>>, ...words: readonly string[]) {
  const { exit, printed } = startService(environment, ...words);
  return { code: await exit, ...printed };
}
