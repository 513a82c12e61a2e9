/**
 * The endpoints of a project under chaos, in a process that nobody kills: verifies every signature and remembers every
 * request.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliveryId } from 'headgate/delivery';
import { createVerifier, SignatureError } from 'headgate/signing';
import type { Arrival, CustomerReport, CustomerSettings } from '../host/messages.js';

const { secrets, endpoints } = JSON.parse(process.argv[2] ?? '') as CustomerSettings;
const SLOW_MS = 200;
/** The troubled endpoint delays one in this many events, and fails one in this many at first. */
const WAITS = 10;
const FAILS = 13;

const verify = createVerifier({ secrets });
const arrivals: { -readonly [Key in keyof Arrival]: Arrival[Key] }[] = [];
const refused: Record<string, number> = {};
const seen = new Map<string, number>();
/** Ids of endpoints by their paths; told once the host has made them. */
const ids = new Map<string, string>();

/** Sooner or later. */
async function statusFor(endpoint: string, order: number, nth: number): Promise<number> {
  if (endpoint !== endpoints[1]) return 204;
  if (order % WAITS === 0) await sleep(SLOW_MS);
  return order % FAILS === 0 && nth === 1 ? 503 : 204;
}

/** The number of the event, where the request is genuine; else why it is not. */
function read(body: Buffer, headers: IncomingMessage['headers']): number | string {
  try {
    verify(body, headers);
    return (JSON.parse(body.toString()) as { data: { body: { n: number } } }).data.body.n;
  } catch (error) {
    return error instanceof SignatureError ? error.code : String(error);
  }
}

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const endpoint = (request.url ?? '').slice(1);
  const order = read(body, request.headers);
  if (typeof order === 'string') {
    refused[order] = (refused[order] ?? 0) + 1;
    response.writeHead(400).end();
    return;
  }
  const delivery = deliveryId(String(request.headers['svc-event-id']), ids.get(endpoint) ?? endpoint);
  const arrival = { delivery, at: Date.now(), status: null as number | null };
  arrivals.push(arrival);
  const nth = (seen.get(delivery) ?? 0) + 1;
  seen.set(delivery, nth);
  const status = await statusFor(endpoint, order, nth);
  if (response.destroyed) return;
  response.once('finish', () => (arrival.status = status));
  response.writeHead(status).end();
}

const server = createServer((request, response) => {
  // The host process died in the middle of its request.
  take(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', (told: Readonly<Record<string, string>>) => {
  for (const [path, id] of Object.entries(told)) ids.set(path, id);
  process.send?.({ arrivals, refused } satisfies CustomerReport);
});
process.once('disconnect', () => process.exit());
