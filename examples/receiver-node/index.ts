/**
 * A receiver on node:http: reads the raw body, verifies it, handles each event once.
 *
 *     SIGNING_SECRET=whsec_test npx tsx examples/receiver-node/index.ts
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { pathToFileURL } from 'node:url';
import { createVerifier, SignatureError } from 'headgate/signing';
import { answers, createOnce } from './once.js';

const MAX_BODY_BYTES = 1024 * 1024;

/** The application's event handler. It may be called again for an event whose handling failed. */
export type Handle = (event: { id: string; type: string }, origin: 'live' | 'replay') => Promise<void>;

export function createReceiver(secrets: string | readonly string[], handle: Handle): Server {
  const verify = createVerifier({ secrets });
  const once = createOnce();

  async function receive(request: IncomingMessage): Promise<Answer> {
    const body = await readBody(request);
    if (body === null) return { status: 413 };
    const { origin } = verify(body, request.headers);
    // The id in the body is signed, the one in the headers is not.
    const event = JSON.parse(body.toString()) as { id: string; type: string };
    return answers[await once(`${origin} ${event.id}`, () => handle(event, origin))];
  }

  return createServer((request, response) => {
    receive(request).then(
      ({ status, headers }) => response.writeHead(status, headers).end(),
      (error: unknown) => response.writeHead(error instanceof SignatureError ? 400 : 500).end(),
    );
  });
}

/** The HTTP response to the sender. */
interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

/** The raw body, or null when it is too large; the rest of it is then read and dropped. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size > MAX_BODY_BYTES ? null : Buffer.concat(chunks);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { SIGNING_SECRET = '', PORT = '8080' } = process.env;
  const server = createReceiver(SIGNING_SECRET, (event, origin) => {
    console.log(`${origin} ${event.type} ${event.id}`);
    return Promise.resolve();
  });
  server.listen(Number(PORT), () => console.log(`listening on port ${PORT}`));
}
