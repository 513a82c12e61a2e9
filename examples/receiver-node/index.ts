/**
 * A receiver on node:http: reads the raw body, verifies it, handles each event once.
 *
 *     SIGNING_SECRET=whsec_test npx tsx examples/receiver-node/index.ts
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { pathToFileURL } from 'node:url';
import { createVerifier, SignatureError } from 'headgate/signing';

const MAX_BODY_BYTES = 1024 * 1024;

/** What the application does with an event. It may be called again for an event whose handling failed. */
export type Handle = (event: { id: string; type: string }, origin: 'live' | 'replay') => Promise<void>;

export function createReceiver(secrets: string | readonly string[], handle: Handle): Server {
  const verify = createVerifier({ secrets });
  /** In production: a table with a unique key, written in the transaction of the handler. */
  const handled = new Set<string>();

  async function receive(request: IncomingMessage): Promise<number> {
    const body = await readBody(request);
    if (body === null) return 413;
    const { origin } = verify(body, request.headers);
    // The id in the body is signed, the one in the headers is not.
    const event = JSON.parse(body.toString()) as { id: string; type: string };
    const once = `${origin} ${event.id}`;
    if (handled.has(once)) return 204;
    handled.add(once);
    await handle(event, origin).catch((error: unknown) => {
      handled.delete(once);
      throw error;
    });
    return 204;
  }

  return createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      (error: unknown) => response.writeHead(error instanceof SignatureError ? 400 : 500).end(),
    );
  });
}

/** The bytes as they came, or null when there are too many; the rest is then dropped as it comes. */
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
