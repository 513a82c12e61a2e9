/** Requests as they come: by the transport of the package, by node:http, and byte by byte. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpTransport } from 'headgate/http';
import { createSigner } from 'headgate/signing';
import { SECRET } from './apps.js';
import type { Running } from './running.js';

/** A body, and the headers that go with it. */
export interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const sign = createSigner({ secrets: SECRET });
const now = (): number => Math.floor(Date.now() / 1_000);

/** How a delivery differs from a plain one. */
export interface Variation {
  readonly origin?: 'live' | 'replay';
  readonly timestamp?: number;
  readonly amount?: number;
  readonly padding?: number;
  readonly end?: string;
}

/** A genuine delivery of an event. */
export function delivery(
  id: string,
  { origin = 'live', timestamp = now(), amount = 12, padding = 0, end = '' }: Variation = {},
): Delivery {
  const data = { body: { amount, name: 'Zoë' }, padding: 'x'.repeat(padding) };
  const body = JSON.stringify({ id, type: 'order.paid', data }) + end;
  const about = { eventId: id, eventType: 'order.paid', origin, timestamp };
  return { body, headers: sign.headers(body, about) };
}

/** Delivers as the package does. The answer is a status, or how the attempt failed. */
export async function deliver({ port, path }: Running, { body, headers }: Delivery): Promise<string> {
  const transport = createHttpTransport({ allow: ['127.0.0.0/8'] });
  try {
    const url = `http://127.0.0.1:${port}${path}`;
    const outcome = await transport.send(
      { url, headers, body: Buffer.from(body) },
      new AbortController().signal,
    );
    return `${outcome.status ?? (outcome.ok ? '' : outcome.failure)}`;
  } finally {
    await transport.close();
  }
}

/** Posts by node:http. The answer is the status, and the code in the body if there is one. */
export async function post(
  { port, path }: Running,
  { body, headers }: { readonly body: string | Uint8Array; readonly headers: Delivery['headers'] },
): Promise<string> {
  const request = httpRequest({ port, path, host: '127.0.0.1', method: 'POST', headers, agent: false });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return shown(response.statusCode ?? 0, await text(response));
}

function shown(status: number, body: string): string {
  const code = /^\{"code":"(\w+)"\}$/.exec(body)?.[1];
  return code === undefined ? `${status}` : `${status} ${code}`;
}

/** The head of a request. */
export const head = (path: string, headers: Readonly<Record<string, string>>): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

/** Pieces of a request, and the pause before each, in milliseconds. */
export interface Raw {
  readonly pieces: readonly (string | Buffer)[];
  readonly pauseMs?: number;
  /** Breaks the connection after the last piece, instead of waiting for an answer. */
  readonly breaks?: boolean;
}

/**
 * Writes the bytes of a request. The answer is its first status and code; `closed` where the connection ends without
 * one.
 */
export async function write(
  { port }: Running,
  { pieces, pauseMs = 0, breaks = false }: Raw,
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  const over = new Promise<void>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (isWhole(answer)) resolve();
    });
  });
  await Promise.race([once(socket, 'connect'), over]);
  for (const piece of pieces) {
    if (socket.destroyed || isWhole(answer)) break;
    socket.write(piece);
    await sleep(pauseMs);
  }
  if (!breaks) await over;
  socket.destroy();
  const final = answer.replace(/^HTTP\/1\.1 100 [^]*?\r\n\r\n/, '');
  const status = /^HTTP\/1\.1 (\d+)/.exec(final)?.[1];
  return status === undefined ? 'closed' : shown(Number(status), /\{"code":"\w+"\}/.exec(final)?.[0] ?? '');
}

/** Whether a final answer is there, so far as a test needs it. */
const isWhole = (answer: string): boolean => {
  const final = answer.replace(/^HTTP\/1\.1 100 [^]*?\r\n\r\n/, '');
  if (!final.includes('\r\n\r\n')) return false;
  const length = /content-length: (\d+)/i.exec(final)?.[1];
  if (length !== undefined) return final.length >= final.indexOf('\r\n\r\n') + 4 + Number(length);
  return !/transfer-encoding: chunked/i.test(final) || final.includes('\r\n0\r\n\r\n');
};

/** The chunks of a body, and the last one. */
export const chunked = (body: string, size: number): Buffer[] => {
  const bytes = Buffer.from(body);
  const chunks: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += size) {
    const part = bytes.subarray(start, start + size);
    chunks.push(Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]));
  }
  return [...chunks, Buffer.from('0\r\n\r\n')];
};
