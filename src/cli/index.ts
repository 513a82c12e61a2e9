#!/usr/bin/env node
/** The command `headgate`: the process around a command line. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { runCommandLine } from './run.js';
import { type Output, OutputClosed, OutputFailed } from './streams.js';

/** Waits for a slow reader, and for the disk. */
function outputOf(stream: NodeJS.WriteStream & { readonly fd: number }): Output {
  // Without a listener, an error that a write reports as well would end the process.
  stream.on('error', () => undefined);
  return {
    isTerminal: isatty(stream.fd),
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => {
          if (error === undefined || error === null) resolve();
          else reject(isReaderGone(error) ? new OutputClosed() : new OutputFailed(error.message));
        });
      }),
  };
}

const isReaderGone = ({ code = '' }: NodeJS.ErrnoException): boolean =>
  ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(code);

const version = (): string => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
};

/** Aborts when the process is told to end; told twice, it ends at once. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const end = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  return controller.signal;
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  stdin: {
    isTerminal: isatty(0),
    // Opened only if it is read, since that takes time.
    [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>,
  },
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  env: process.env,
  folder: process.cwd(),
  now: Date.now,
  random: (bytes) => randomBytes(bytes),
  interruption,
  version: version(),
});
