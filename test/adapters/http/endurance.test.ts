import { setImmediate } from 'node:timers/promises';
import type { LookupFunction, Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Transport } from '../../../src/delivery/transport.js';
import { retainedBytes } from '../../hostile/footprint.js';
import { response } from '../../hostile/receivers.js';
import { loopbackTransport, post, receiver } from './receivers.js';

const piece = fc.oneof(
  fc.constantFrom(
    'HTTP/1.1 ',
    'HTTP/1.0 ',
    '200',
    '100',
    '101',
    '204',
    '304',
    ' OK',
    '\r\n',
    '\n',
    '\r',
    ':',
    ' ',
    '\t',
    ';',
    '\0',
  ),
  fc.constantFrom(
    'Content-Length',
    'Transfer-Encoding',
    'chunked',
    'Connection',
    'close',
    'keep-alive',
    'Upgrade',
    'Keep-Alive',
  ),
  fc.constantFrom(
    '0',
    '1',
    '5',
    '-1',
    'ffffffff',
    '99999999999999999999',
    'timeout=0',
    'timeout=99999999999',
    'x'.repeat(5_000),
  ),
  fc.constantFrom(
    '\r\n\r\n',
    '\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    'HTTP/1.1 100 Continue\r\n\r\n',
  ),
  fc.string({ unit: 'binary' }),
);
const script = fc.array(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  { maxLength: 4 },
);

test('whatever bytes a receiver sends, in whatever packets, the attempt ends with a value and nothing else happens', async () => {
  const scripts: string[][] = [];
  const { url } = await receiver((socket) => void play(socket, scripts.at(-1) ?? []));
  const transport = loopbackTransport({ timeoutMs: 200 });
  await fc.assert(
    fc.asyncProperty(script, async (packets) => {
      scripts.push(packets);
      const outcome = await post(transport, url);
      if (outcome.ok) expect(packets.join('')).toContain('HTTP/1.');
      else expect(outcome.detail).not.toContain('xxxx');
    }),
    { numRuns: 300 },
  );
});

/** Attempts at `to - from` origins, all of them one server. */
async function tour(transport: Transport, port: number, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 50) {
    const urls = Array.from({ length: 50 }, (_, i) => `http://h${n + i}.test:${port}/`);
    await Promise.all(urls.map((url) => post(transport, url)));
  }
}

const toLoopback: LookupFunction = (_hostname, _options, callback) => callback(null, '127.0.0.1', 4);

test('origins are forgotten when their connections are gone', { timeout: 60_000 }, async () => {
  const { port } = await receiver((socket) => socket.end(response(204, '', 'Connection: close\r\n')));
  const transport = loopbackTransport({ lookup: toLoopback });
  await tour(transport, port, 0, 500);
  const before = await retainedBytes();
  await tour(transport, port, 500, 3_500);
  expect(((await retainedBytes()) - before) / 3_000).toBeLessThan(1_000); // bytes an origin
});

test('only so many unused connections are kept', { timeout: 60_000 }, async () => {
  const { port, open } = await receiver(response(204, '', 'Keep-Alive: timeout=86400\r\n'));
  await tour(loopbackTransport({ lookup: toLoopback }), port, 0, 1_000);
  expect(open()).toBeLessThanOrEqual(600);
});

/** Writes each packet on its own, then ends the connection. */
async function play(socket: Socket, packets: readonly string[]): Promise<void> {
  for (const packet of packets) {
    socket.write(packet, 'latin1');
    await setImmediate();
  }
  socket.end();
}
