/** The customers' side, in a process that nobody kills: verifies every signature and remembers every request. */
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliveryId } from 'headgate/delivery';
import { createVerifier, SignatureError } from 'headgate/signing';
import type { Behavior } from '../endpoints.js';
import { KEY_HEADER } from '../observed.js';
import { type Received, type ReceiverSettings, type Request, SECRET } from './messages.js';

const { folder } = JSON.parse(process.argv[2] ?? '') as ReceiverSettings;
const SLOW_MS = 300;
/** At a hanging endpoint, one in this many events hangs at its first attempt. */
const HANGS = 3;

const verify = createVerifier({ secrets: SECRET });
const requests: { -readonly [Key in keyof Request]: Request[Key] }[] = [];
const refused: Record<string, number> = {};
/** Genuine requests by delivery. */
const seen = new Map<string, number>();

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The status to answer with, sooner or later; null: never. */
async function statusFor(behavior: Behavior, order: number, nth: number): Promise<number | null> {
  if (behavior === 'failing' && nth === 1) return 503;
  if (behavior === 'hanging' && nth === 1 && order % HANGS === 0) return null;
  if (behavior === 'slow') await sleep(SLOW_MS);
  return 204;
}

/** Undefined when the request is genuine, else why it is not. */
function refusalOf(body: Buffer, headers: IncomingMessage['headers']): string | undefined {
  try {
    verify(body, headers);
    return undefined;
  } catch (error) {
    return error instanceof SignatureError ? error.code : String(error);
  }
}

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, behavior, endpointId = ''] = (request.url ?? '').split('/');
  const eventId = String(request.headers['svc-event-id']);
  const refusal = refusalOf(await bodyOf(request), request.headers);
  const delivery = deliveryId(eventId, endpointId);
  const record = {
    key: String(request.headers[KEY_HEADER]),
    delivery,
    at: Date.now(),
    status: null as number | null,
  };
  requests.push(record);
  if (refusal !== undefined) refused[refusal] = (refused[refusal] ?? 0) + 1;
  const nth = (seen.get(delivery) ?? 0) + 1;
  if (refusal === undefined) seen.set(delivery, nth);
  const status =
    refusal === undefined ? await statusFor(behavior as Behavior, Number(eventId.split('_')[1]), nth) : 400;
  if (status === null || response.destroyed) return;
  response.once('finish', () => (record.status = status));
  response.writeHead(status).end();
}

const server = createServer((request, response) => {
  // The worker died in the middle of its request.
  take(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => {
  process.send?.({ requests, refused } satisfies Received);
});
// The run has ended, perhaps without a chance to tidy up.
process.once('disconnect', () => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit();
});
