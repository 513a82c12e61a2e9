/** Reads files and standard input. */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { Failure, type Context } from '../context.js';

/** Stands for standard input. */
export const STDIN = '-';

/** Chunks of a file, or of standard input for `-`. */
export async function* chunksOf(path: string, context: Context): AsyncGenerator<Uint8Array> {
  try {
    if (path === STDIN) yield* stdinOf(context);
    else yield* createReadStream(resolve(context.folder, path)) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function* stdinOf({ stdin, say }: Context): AsyncGenerator<Uint8Array> {
  if (stdin.isTerminal) await say.line('reading standard input; end it with Ctrl-D');
  yield* stdin;
}

/**
 * All bytes of a file or of standard input.
 *
 * @param maxBytes - Beyond it, reading ends: the result has more bytes than that.
 */
export async function bytesOf(path: string, context: Context, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(path, context)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder: give a file in it',
};

function unreadable(path: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return code === '' ? error : new Failure(`${path}: ${REASONS[code] ?? message}`);
}

/** The name of an input in messages. */
export const nameOf = (path: string): string => (path === STDIN ? 'standard input' : path);
