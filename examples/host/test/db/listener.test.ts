/** The connection that listens: one that is dead without saying so is noticed, replaced, and made up for. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createListener } from '../../src/db/postgres-listener.js';

/** A way to the server that can fall silent: bytes are swallowed, and no side learns of it. */
async function silentWay(
  url: string,
): Promise<{ readonly url: string; fallSilent(): void; count(): number }> {
  const { hostname, port } = new URL(url);
  const pairs: (readonly [Socket, Socket])[] = [];
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far);
    far.pipe(near);
    pairs.push([near, far]);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of pairs.flat()) socket.destroy();
  });
  const way = new URL(url);
  way.hostname = '127.0.0.1';
  way.port = `${(server.address() as AddressInfo).port}`;
  return {
    url: way.href,
    count: () => pairs.length,
    fallSilent() {
      for (const [near, far] of pairs) {
        near.unpipe(far).resume();
        far.unpipe(near).resume();
      }
    },
  };
}

test('a connection that died in silence is replaced, and every listener reads again', async () => {
  const url = inject('postgres');
  const way = await silentWay(url);
  const listener = createListener({ connectionString: way.url }, 'silent_test', 100);
  onTestFinished(() => listener.close());
  const heard: string[] = [];
  listener.listen('rules', (payload) => heard.push(payload));
  await expect.poll(() => heard).toEqual(['']);
  const sender = new pg.Client({ connectionString: url });
  await sender.connect();
  onTestFinished(() => sender.end());
  await sender.query(`select pg_notify('silent_test', 'rules one')`);
  await expect.poll(() => heard).toEqual(['', 'one']);

  way.fallSilent();
  await sender.query(`select pg_notify('silent_test', 'rules missed')`);
  await expect.poll(() => heard).toEqual(['', 'one', '']);
  await sender.query(`select pg_notify('silent_test', 'rules two')`);
  await expect.poll(() => heard).toEqual(['', 'one', '', 'two']);
  expect(way.count()).toBe(2);
});

test('closing does not wait for a peer that is gone', async () => {
  const way = await silentWay(inject('postgres'));
  const listener = createListener({ connectionString: way.url }, 'silent_test', 60_000);
  const heard: string[] = [];
  listener.listen('rules', (payload) => heard.push(payload));
  await expect.poll(() => heard).toEqual(['']);
  way.fallSilent();
  await listener.close();
});
