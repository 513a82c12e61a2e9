/** The store of seen keys that docs/receivers.md has for Redis, on a real one. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll } from 'vitest';
import { type Documented, documentedStore } from '../../../test/receiver/documented.js';
import { seenContract, type SeenStage } from '../../../test/receiver/seen-contract.js';
import { BUILT } from './apps.js';

let folder: string;
let server: ChildProcess;
let redis: Redis;
let stage: SeenStage;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-redis-'));
  const socket = join(folder, 'socket');
  server = spawn('redis-server', ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder], {
    stdio: 'ignore',
  });
  await once(server, 'spawn');
  redis = new Redis({ path: socket, retryStrategy: () => 50, maxRetriesPerRequest: null });
  redis.on('error', () => undefined); // it is not up yet
  const file = join(BUILT, 'redis-store.ts');
  writeFileSync(file, documentedStore('Redis').code);
  const { createSeenStore } = (await import(file)) as Documented<Redis>;
  /** Takes from the time that is left as much as a handler may take. */
  const age = async (key: string): Promise<void> => {
    await redis.pexpire(key, (await redis.pttl(key)) - 20_001);
  };
  stage = { seen: createSeenStore(redis), age };
});
afterAll(async () => {
  redis.disconnect();
  const over = once(server, 'exit');
  server.kill('SIGKILL');
  await over;
  rmSync(folder, { recursive: true, force: true });
});

seenContract(() => stage);
