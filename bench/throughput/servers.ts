/** The servers that the contenders need: a receiver, a Postgres, a Redis. */
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../test/postgres/start.js';
import { freePort } from '../../test/free-port.js';

/** Something that runs, and how to end it. */
export interface Running<Where> {
  readonly at: Where;
  readonly stop: () => Promise<void>;
}

async function end(child: ChildProcess): Promise<void> {
  child.kill();
  await once(child, 'exit');
}

/** A receiver; gives its port. @param script - The built receiver.ts. */
export async function startReceiver(script: string): Promise<Running<number>> {
  const child = fork(script);
  const [port] = (await once(child, 'message')) as [number];
  return { at: port, stop: () => end(child) };
}

/** The server that DATABASE_URL names, or one of our own; gives its URL. */
export async function findPostgres(): Promise<Running<string>> {
  const { DATABASE_URL: url } = process.env;
  if (url !== undefined) return { at: url, stop: () => Promise.resolve() };
  const server = await startPostgres();
  return { at: server.url, stop: server.stop };
}

/** A Redis of our own that syncs every write; gives its port, or null where none is installed. */
export async function startRedis(): Promise<Running<number> | null> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), 'headgate-redis-'));
  const port = await freePort();
  const settings = [
    '--port',
    String(port),
    '--dir',
    folder,
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
  ];
  const child = spawn('redis-server', [
    ...settings,
    '--bind',
    '127.0.0.1',
    '--maxmemory-policy',
    'noeviction',
  ]);
  await once(child.stdout, 'data');
  const stop = async (): Promise<void> => {
    await end(child);
    rmSync(folder, { recursive: true });
  };
  return { at: port, stop };
}
