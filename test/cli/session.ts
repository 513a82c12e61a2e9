/** A command line in this process: with streams of its own, and a clock that stands. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Host } from '../../src/cli/context.js';
import { runCommandLine } from '../../src/cli/run.js';
import { type Output, OutputClosed } from '../../src/cli/streams.js';

/** 2026-01-31T12:00:00Z */
export const NOW = 1_769_860_800_000;

/** The surroundings of a command. */
export interface Surroundings {
  readonly stdin?: string | Uint8Array | AsyncIterable<Uint8Array>;
  readonly env?: Readonly<Record<string, string>>;
  /** Text by name, in the folder in which the command is called. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Whether both outputs are terminals. */
  readonly isTerminal?: boolean;
  readonly now?: () => number;
  readonly signal?: AbortSignal;
  /** Lines of standard output after which its reader goes. */
  readonly reads?: number;
  /** Called with everything that is printed. */
  readonly onText?: (text: string) => void;
}

/** The result of a command. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `headgate` with these words. */
export async function headgate(args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  const {
    stdin = '',
    env = {},
    files = {},
    isTerminal = false,
    now = () => NOW,
    reads = Infinity,
  } = surroundings;
  const folder = mkdtempSync(join(tmpdir(), 'headgate-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const printed = { out: '', err: '' };
  const output = (name: 'out' | 'err'): Output => ({
    isTerminal,
    write: (text) => {
      if (name === 'out' && printed.out.split('\n').length > reads) return Promise.reject(new OutputClosed());
      printed[name] += text;
      surroundings.onText?.(text);
      return Promise.resolve();
    },
  });
  const host: Host = {
    stdin: { isTerminal: false, [Symbol.asyncIterator]: () => chunks(stdin)[Symbol.asyncIterator]() },
    stdout: output('out'),
    stderr: output('err'),
    env,
    folder,
    now,
    random: (bytes) => new Uint8Array(bytes).fill(7),
    interruption: () => surroundings.signal ?? new AbortController().signal,
    version: '1.2.3',
  };
  return { code: await runCommandLine(args, host), ...printed };
}

async function* chunks(given: NonNullable<Surroundings['stdin']>): AsyncGenerator<Uint8Array> {
  if (typeof given === 'string') yield new TextEncoder().encode(given);
  else if (given instanceof Uint8Array) yield given;
  else yield* given;
}

/** The objects of output in JSON, one a line. */
export const objectsIn = (out: string): unknown[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
