/** Requests of fetch: Hono, Next.js, Workers, Deno, Bun, SvelteKit, Remix, Astro, Nitro. */
import { type Answer, type Incoming, tooLarge } from './process.js';
import { ReceiverError } from './receiver-error.js';

/**
 * Reads a request of fetch. Its body is read when it is asked for.
 *
 * @throws {@link ReceiverError} `wrong_request`
 */
export function fromFetch(request: Request): Incoming {
  if (!isFetchRequest(request)) throw wrongRequest(request);
  return {
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: (maxBytes) => readAll(request, maxBytes),
  };
}

/** Whether a value has headers as a request of fetch has them. Those of node:http are a plain object. */
export const isFetchRequest = (value: unknown): boolean =>
  typeof (Object((Object(value) as Partial<Request>).headers) as Partial<Headers>).get === 'function';

const wrongRequest = (given: unknown): ReceiverError =>
  new ReceiverError(
    'wrong_request',
    typeof (Object(given) as { readonly on?: unknown }).on === 'function'
      ? 'receiver.fetch got a request of node:http; use receiver.node'
      : 'receiver.fetch takes a Request; in Hono: (c) => receiver.fetch(c.req.raw)',
  );

export const toResponse = ({ status, headers, body }: Answer): Response =>
  new Response(body, { status, headers });

async function readAll(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed || request.body?.locked) {
    throw new ReceiverError(
      'body_taken',
      'other code has read the body before: let that code read request.clone()',
    );
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  try {
    for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
      const { value } = read;
      chunks.push(value);
      size += value.length;
      if (size > maxBytes) break;
    }
  } catch (cause) {
    throw isTooLarge(cause)
      ? new ReceiverError('body_too_large', "the body exceeds the framework's own limit; raise that", {
          cause,
        })
      : new ReceiverError('body_incomplete', 'the request ended before its body', { cause });
  }
  if (size <= maxBytes) return joined(chunks, size);
  void drop(reader);
  throw tooLarge(maxBytes);
}

/**
 * Reads on and drops what it reads, so that the sender gets the answer. A cancelled stream of h3 1 would end the
 * process with its next chunk, and one that nobody reads would fill its memory.
 */
async function drop(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  try {
    while ((await reader?.read())?.done === false);
  } catch {
    // The sender has left.
  }
}

/** Whether a framework broke the stream off by a limit of its own, such as SvelteKit by BODY_SIZE_LIMIT. */
const isTooLarge = (error: unknown): boolean => (Object(error) as { status?: unknown }).status === 413;

/** The bytes of all chunks. */
export function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
