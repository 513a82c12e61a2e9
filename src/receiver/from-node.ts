/**
 * Requests of node:http: plain, Express, NestJS, Fastify, Koa. Named by their shape, so that no types of Node are
 * needed.
 */
import { isFetchRequest, joined } from './from-fetch.js';
import { type Answer, type Incoming, tooLarge } from './process.js';
import { ReceiverError } from './receiver-error.js';

/** The part of node's `IncomingMessage` that is used. */
export interface NodeMessage {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly complete: boolean;
  readonly destroyed: boolean;
  readonly readableDidRead: boolean;
  /** Calls for each piece of the body. */
  on(type: 'data', listener: (chunk: Uint8Array) => void): unknown;
  /** Calls at the end of the body, and of the connection. */
  on(type: 'end' | 'close', listener: () => void): unknown;
  /** Calls when the connection breaks. */
  on(type: 'error', listener: (error: Error) => void): unknown;
  /** Takes a listener away. */
  off(type: 'data', listener: (chunk: Uint8Array) => void): unknown;
  /** Reads on, and drops what it reads. */
  resume(): unknown;
}

/** The part of node's `ServerResponse` that is used. */
export interface NodeReply {
  readonly headersSent: boolean;
  /** Begins the answer. */
  writeHead(status: number, headers: Record<string, string>): unknown;
  /** Ends the answer. */
  end(body?: string): unknown;
}

/** A request of node:http, Express or NestJS; Fastify's, which has it as `raw`; Koa's, which has it as `req`. */
export type NodeRequest = NodeMessage | { readonly raw: NodeMessage } | { readonly req: NodeMessage };

/** A response of node:http, Express or NestJS; Fastify's reply, which has it as `raw`; Koa's, which has it as `res`. */
export type NodeResponse = NodeReply | { readonly raw: NodeReply } | { readonly res: NodeReply };

/** The bodies that parsers of several frameworks leave behind. */
interface Parsed {
  /** NestJS, koa-bodyparser, Google's functions: the raw body beside the parsed one. */
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

/** @throws {@link ReceiverError} `wrong_request` */
export function fromNode(request: NodeRequest): Incoming {
  const { raw, req } = Object(request) as { readonly raw?: NodeMessage; readonly req?: NodeMessage };
  const message = raw ?? req ?? (request as NodeMessage);
  if (typeof (Object(message) as Partial<NodeMessage>).on !== 'function') {
    throw wrongRequest(request, message);
  }
  return {
    method: message.method ?? '',
    url: message.url ?? '',
    headers: message.headers,
    body: (maxBytes) => bodyOf(request as Parsed, message, maxBytes),
  };
}

const wrongRequest = (request: unknown, message: unknown): ReceiverError =>
  new ReceiverError(
    'wrong_request',
    // The request of Hono's context is one of its own, with that of fetch in it.
    isFetchRequest(request) || 'raw' in (Object(message) as object)
      ? 'receiver.node got a request of fetch; use receiver.fetch, in Hono with c.req.raw'
      : 'receiver.node takes a request and a response of node:http',
  );

/** The response of node:http within that of a framework; null if it has no such response. */
function replyIn(response: NodeResponse): NodeReply | null {
  const { raw, res } = Object(response) as { readonly raw?: NodeReply; readonly res?: NodeReply };
  const reply: NodeReply = raw ?? res ?? (response as NodeReply);
  return typeof (Object(reply) as Partial<NodeReply>).writeHead === 'function' ? reply : null;
}

/**
 * Sends an answer, past the framework.
 *
 * @returns False if there is no response of node:http to send it by.
 */
export function answerNode(response: NodeResponse, { status, headers, body }: Answer): boolean {
  const reply = replyIn(response);
  if (reply === null) return false;
  if (reply.headersSent) return true;
  reply.writeHead(status, headers);
  reply.end(body ?? undefined);
  return true;
}

/** Tells Fastify and Koa that the answer is not theirs to send. */
export function takeOver(response: NodeResponse): void {
  const { hijack, ctx } = Object(response) as { hijack?: () => void; ctx?: { respond?: boolean } };
  if (typeof hijack === 'function') hijack.call(response);
  if (ctx !== undefined) ctx.respond = false;
}

/** Bytes, or text that was decoded from UTF-8. */
function rawOf(body: unknown): Uint8Array | undefined {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return body instanceof Uint8Array ? body : undefined;
}

function bodyOf(request: Parsed, message: NodeMessage, maxBytes: number): Uint8Array | Promise<Uint8Array> {
  const isRead = message.readableDidRead;
  const raw = rawOf(request.rawBody) ?? (isRead ? rawOf(request.body) : undefined);
  if (raw === undefined && !isRead) return readAll(message, maxBytes);
  if (raw === undefined) throw taken(request);
  if (raw.length > maxBytes) throw tooLarge(maxBytes);
  return raw;
}

/** The error for a body that other code has read, or has replaced by a parsed one. */
function taken(request: Parsed): ReceiverError {
  const [, cure = OTHERS] = CURES.find(([member]) => member in request) ?? [];
  return request.body === undefined
    ? new ReceiverError('body_taken', `other code has read the body before; ${cure}`)
    : new ReceiverError('body_parsed', `the body was parsed before, and the raw one is gone; ${cure}`);
}

/** Cures, by a member of the request that shows its framework. */
const CURES = [
  [
    'raw',
    "Fastify: addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body))",
  ],
  ['ctx', 'Koa: mount the receiver before the parser, or take a parser that keeps rawBody'],
  [
    'app',
    "Express: mount the receiver before express.json(), or express.raw({ type: 'application/json' }) on its route; NestJS: NestFactory.create(App, { rawBody: true })",
  ],
  ['cookies', 'Next.js: export const config = { api: { bodyParser: false } }'],
] as const;
const OTHERS = 'mount the receiver before that code; Koa: give it ctx.request and ctx.response';

/** Reads the stream. What exceeds the limit is read on and dropped, so that the sender gets the answer. */
function readAll(message: NodeMessage, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const add = (chunk: Uint8Array): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      message.off('data', add);
      message.resume();
      chunks.length = 0;
      reject(tooLarge(maxBytes));
    };
    const end = (cause?: unknown): void => {
      if (message.complete && cause === undefined) resolve(joined(chunks, size));
      else reject(new ReceiverError('body_incomplete', 'the request ended before its body', { cause }));
    };
    message.on('data', add);
    message.on('end', () => end());
    message.on('error', end);
    message.on('close', () => end());
    if (message.destroyed) end();
  });
}
