/** Ten thousand attempts at hostile receivers leave no socket, descriptor or memory behind. */
import { setImmediate } from 'node:timers/promises';
import type { LookupFunction, Socket } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Transport } from '../../../src/delivery/transport.js';
import { retainedBytes } from '../../hostile/footprint.js';
import { response } from '../../hostile/receivers.js';
import { loopbackTransport, post, receiver } from './receivers.js';
import { expectOwnWords } from './vocabulary.js';

/** Words that no sentence of ours contains. */
const noise = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('sk_live_secret'.repeat(400)));
const status = fc.oneof(
  fc.constantFrom('200', '204', '100', '101', '102', '103', '000', '099', '199', '299', '304', '429', '999'),
  fc.integer({ min: -10, max: 100_000 }).map(String),
);
const version = fc.constantFrom(
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/2.0',
  'HTTP/0.9',
  'ICY',
  'http/1.1',
  'RTSP/1.0',
);
const statusLine = fc
  .tuple(version, fc.constantFrom(' ', '  ', '\t', ''), status, fc.constantFrom(' OK', '', ' ', 'x'))
  .map((parts) => parts.join(''));
const header = fc
  .tuple(
    fc.constantFrom(
      'Content-Length',
      'Transfer-Encoding',
      'Connection',
      'Upgrade',
      'Keep-Alive',
      'Retry-After',
      'A',
    ),
    fc.constantFrom(': ', ':', ' : ', ''),
    fc.oneof(
      fc.constantFrom('0', '2', '-1', '99999999999999999999', 'chunked', 'close', 'keep-alive', 'upgrade'),
      fc.constantFrom('timeout=0', 'timeout=99999999999', 'h2c'),
      noise,
    ),
  )
  .map((parts) => parts.join(''));
const lineEnd = fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r', '');
const line = fc.tuple(fc.oneof(statusLine, header), lineEnd).map((parts) => parts.join(''));
const piece = fc.oneof(
  line,
  noise,
  fc.constantFrom(
    '\r\n',
    '\r\n\r\n',
    '2\r\nok\r\n0\r\n\r\n',
    'ffffffff\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    'HTTP/1.1 100 Continue\r\n\r\n',
  ),
);
const script = fc.record({
  packets: fc.array(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    { maxLength: 4 },
  ),
  ending: fc.constantFrom('end', 'resetAndDestroy', 'keep' as const),
});

test(
  'whatever a receiver sends, in whatever packets, the attempt ends with our own words and nothing is left',
  { timeout: 60_000 },
  async () => {
    const strays: unknown[] = [];
    const stray = (error: unknown): void => void strays.push(error);
    process.on('uncaughtExceptionMonitor', stray);
    onTestFinished(() => void process.off('uncaughtExceptionMonitor', stray));
    const scripts: Script[] = [];
    const server = await receiver((socket, request) => {
      const { packets, ending } = scripts[Number(/^POST \/(\d+)/.exec(request)?.[1])]!;
      void play(socket, packets, ending);
    });
    const transport = loopbackTransport({ timeoutMs: 100 });
    await fc.assert(
      fc.asyncProperty(fc.array(script, { minLength: 1, maxLength: 10 }), async (batch) => {
        const from = scripts.push(...batch) - batch.length;
        const outcomes = await Promise.all(
          batch.map((_, n) => post(transport, `http://127.0.0.1:${server.port}/${from + n}`)),
        );
        for (const [n, outcome] of outcomes.entries()) {
          expectOwnWords(outcome);
          if (outcome.ok) expect(batch[n]!.packets.join('')).toMatch(/HTTP\/1\.[01] 2\d\d/);
        }
      }),
      { numRuns: 150 },
    );
    await transport.close();
    await vi.waitUntil(() => server.open() === 0, 3_000);
    expect(strays).toEqual([]);
  },
);

/** Attempts at `to - from` origins, all of them one server. */
async function tour(transport: Transport, port: number, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 50) {
    const urls = Array.from({ length: 50 }, (_, i) => `http://h${n + i}.test:${port}/`);
    await Promise.all(urls.map((url) => post(transport, url)));
  }
}

const toLoopback: LookupFunction = (_hostname, _options, callback) => callback(null, '127.0.0.1', 4);

test('origins are forgotten when their connections are gone', async () => {
  const { port } = await receiver((socket) => socket.end(response(204, '', 'Connection: close\r\n')));
  const transport = loopbackTransport({ lookup: toLoopback });
  await tour(transport, port, 0, 500);
  const before = await retainedBytes();
  await tour(transport, port, 500, 3_500);
  expect(((await retainedBytes()) - before) / 3_000).toBeLessThan(1_000); // bytes an origin
});

test('only a few unused connections are kept', async () => {
  const { port, open } = await receiver(response(204, '', 'Keep-Alive: timeout=86400\r\n'));
  await tour(loopbackTransport({ lookup: toLoopback }), port, 0, 1_000);
  expect(open()).toBeLessThanOrEqual(600);
});

/** Packets of a receiver, and what becomes of the connection afterwards. */
interface Script {
  readonly packets: readonly string[];
  readonly ending: 'end' | 'resetAndDestroy' | 'keep';
}

/** Writes each packet on its own. */
async function play(socket: Socket, packets: readonly string[], ending: Script['ending']): Promise<void> {
  for (const packet of packets) {
    socket.write(packet, 'latin1');
    await setImmediate();
  }
  if (ending !== 'keep') socket[ending]();
}
