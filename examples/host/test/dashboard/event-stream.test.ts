/** Streams of long work: read to their end, however they are cut into pieces on their way. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readingStreams } from '../../dashboard/parts/event-stream.js';

const report = { matched: 2, scanned: 3, name: '\u{1f600} line\nbreak' };
const message = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** A fetch that answers with a stream in pieces of the given sizes. */
function sending(text: string, sizes: readonly number[]): typeof fetch {
  const bytes = new TextEncoder().encode(text);
  const pieces: Uint8Array[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!;
    pieces.push(bytes.slice(at, at + size));
    at += size;
  }
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  return () => Promise.resolve(new Response(body, { headers }));
}

test('the progress is reported and the report is the answer, wherever the stream is cut', async () => {
  const text =
    message('progress', { scanned: 1 }) + message('progress', { scanned: 2 }) + message('report', report);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (sizes) => {
      const told: unknown[] = [];
      const answer = await readingStreams(sending(text, sizes), (data) => told.push(data))('/');
      expect(told).toEqual([{ scanned: 1 }, { scanned: 2 }]);
      expect([answer.status, await answer.json()]).toEqual([200, report]);
    }),
  );
});

test('a problem at the end is answered as a problem with its status', async () => {
  const problem = { status: 503, code: 'dry_run_timeout', scanned: 7 };
  const answer = await readingStreams(sending(message('problem', problem), [9]), () => undefined)('/');
  expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([
    ...[503, 'application/problem+json', problem],
  ]);
});

test('a stream that ends before its report is a failure of the network', async () => {
  const answer = readingStreams(sending(message('progress', {}), [100]), () => undefined)('/');
  await expect(answer).rejects.toThrow(TypeError);
});

test('an answer that is not a stream goes through', async () => {
  const plain = new Response('{}', { headers: { 'content-type': 'application/json' } });
  expect(
    await readingStreams(
      () => Promise.resolve(plain),
      () => undefined,
    )('/'),
  ).toBe(plain);
});
