/** Reads the headers and the body of a request, the latter up to a limit. */
import type { IncomingMessage } from 'node:http';
import type { HeaderPairs } from '../ground/headers.js';
import { Problem } from '../ground/problem.js';

/** The bindings that `@hono/node-server` gives to each request; absent where a host mounts `fetch` elsewhere. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage;
}

/** The headers of a request as they came; without Node's own request, those that repeat are one. */
export function headerPairs(request: Request, { incoming }: NodeBindings): HeaderPairs {
  if (incoming === undefined) return [...request.headers];
  const { rawHeaders } = incoming;
  return Array.from({ length: rawHeaders.length / 2 }, (_, i) => [
    rawHeaders[2 * i] ?? '',
    rawHeaders[2 * i + 1] ?? '',
  ]);
}

const tooLarge = (limit: number): Problem =>
  new Problem(
    'body_too_large',
    `the body has more than ${limit} bytes, which is the most that is taken here`,
  );

const brokenOff = (): Problem => new Problem('invalid_request', 'the body ended before it was complete');

/**
 * The bytes of a body. Reads Node's own stream where there is one: touching `request.body` would build a web stream, which
 * costs three times as much as all the rest of a small request.
 *
 * @throws Problem `body_too_large` as soon as it is known, `invalid_request` when the caller goes away.
 */
export async function readBody(
  request: Request,
  { incoming }: NodeBindings,
  limit: number,
): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > limit) throw tooLarge(limit);
  if (incoming !== undefined && !incoming.readableEnded) return readStream(incoming, limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += (chunk as Uint8Array).byteLength;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Problem ? error : brokenOff();
  }
  return Buffer.concat(chunks);
}

function readStream(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.byteLength;
      if (size <= limit) chunks.push(chunk);
      else settle(() => reject(tooLarge(limit)));
    };
    const ended = (): void =>
      settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const gone = (): void => settle(() => reject(brokenOff()));
    // Every request closes at its end, and an error that nobody reads costs as much as the rest of a small one.
    const settle = (how: () => void): void => {
      incoming.off('data', take).off('end', ended).off('error', gone).off('close', gone);
      incoming.on('error', () => undefined);
      how();
    };
    incoming.on('data', take).once('end', ended).once('error', gone).once('close', gone);
    // The caller may have gone while its key was looked up; then there is no event to come.
    if (incoming.destroyed) gone();
  });
}
