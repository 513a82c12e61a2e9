/** A receiver in a process of its own that accepts no connection. */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { Receiver } from './receivers.js';

/** Listens with a queue for one connection, says where, and takes none for ten minutes; then it ends by itself. */
const SCRIPT = `
  require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
    require('node:fs').writeSync(1, String(this.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600_000);
    process.exit();
  });`;

/** Connections that fill the queue, and some more. */
const FILLERS = 4;

/** A server that takes no connection, as behind a firewall that drops what comes: its queue is full. */
export async function openFullReceiver(): Promise<Receiver> {
  const child = spawn(process.execPath, ['-e', SCRIPT], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(said);
  const fillers = Array.from({ length: FILLERS }, () =>
    connect(port, '127.0.0.1').on('error', () => undefined),
  );
  await Promise.race(fillers.map((filler) => once(filler, 'connect')));
  return {
    port,
    url: `http://127.0.0.1:${port}/in`,
    connections: () => 0,
    open: () => 0,
    written: () => 0,
    requests: [],
    async close() {
      for (const filler of fillers) filler.destroy();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
