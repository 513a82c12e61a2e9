/**
 * A receiver as `(Request) => Promise<Response>`: for Hono, Next.js, Deno, Bun, Workers. Shows itself when run:
 *
 *     npx tsx examples/receiver-fetch/index.ts
 */
import { pathToFileURL } from 'node:url';
import { createSigner, createVerifier, SignatureError } from 'headgate/signing/web';
import { answers, createOnce } from '../receiver-node/once.js';

/** The application's event handler. It may be called again for an event whose handling failed. */
export type Handle = (event: { id: string; type: string }, origin: 'live' | 'replay') => Promise<void>;

export function createReceiver(
  secrets: string | readonly string[],
  handle: Handle,
): (request: Request) => Promise<Response> {
  const verify = createVerifier({ secrets });
  const once = createOnce();
  return async (request) => {
    const body = new Uint8Array(await request.arrayBuffer());
    try {
      const { origin } = await verify(body, request.headers);
      // The id in the body is signed, the one in the headers is not.
      const event = JSON.parse(new TextDecoder().decode(body)) as { id: string; type: string };
      return new Response(null, answers[await once(`${origin} ${event.id}`, () => handle(event, origin))]);
    } catch (error) {
      return new Response(null, { status: error instanceof SignatureError ? 400 : 500 });
    }
  };
}

/** Sends one genuine and one forged delivery to the receiver, without a network. */
async function demonstrate(): Promise<void> {
  const secrets = 'whsec_test';
  const receive = createReceiver(secrets, (event) => {
    console.log(`handled ${event.id}`);
    return Promise.resolve();
  });
  const body = JSON.stringify({ id: 'evt_1', type: 'webhook.received', data: {} });
  const headers = await createSigner({ secrets }).headers(body, {
    eventId: 'evt_1',
    eventType: 'webhook.received',
    origin: 'live',
    timestamp: Math.floor(Date.now() / 1000),
  });
  for (const sent of [body, body.replace('evt_1', 'evt_2')]) {
    const request = new Request('https://receiver.example/hooks', { method: 'POST', headers, body: sent });
    console.log((await receive(request)).status);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await demonstrate();
