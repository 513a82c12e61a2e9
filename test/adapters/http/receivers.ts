/** The servers of test/hostile, closed when the test ends that opened them; and a transport that may reach them. */
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import { createHttpTransport } from '../../../src/adapters/http/index.js';
import type { HttpTransportOptions } from '../../../src/adapters/http/index.js';
import type { Transport, TransportAnswer } from '../../../src/delivery/transport.js';
import {
  type Answer,
  openRawReceiver,
  openReceiver,
  openSecureReceiver,
  type Receiver,
} from '../../hostile/receivers.js';
import type { Build } from '../../hostile/site.js';

async function untilTestEnds(opening: Promise<Receiver>): Promise<Receiver> {
  const opened = await opening;
  onTestFinished(opened.close);
  return opened;
}

/** A server for plain HTTP. */
export const receiver = (answer: Answer): Promise<Receiver> => untilTestEnds(openReceiver(answer));

/** A server for HTTP over TLS. */
export const secureReceiver = (answer: Answer, options: TlsOptions): Promise<Receiver> =>
  untilTestEnds(openSecureReceiver(answer, options));

/** A server that treats the bare connection itself. */
export const rawReceiver = (onConnection: (socket: Socket) => void): Promise<Receiver> =>
  untilTestEnds(openRawReceiver(onConnection));

/** A receiver of the hostile table, at a quick pace. */
export async function built(
  build: Build,
): Promise<{ readonly url: string; readonly opened: readonly Receiver[] }> {
  const opened: Receiver[] = [];
  const keep = async (opening: Promise<Receiver>): Promise<Receiver> => {
    const one = await untilTestEnds(opening);
    opened.push(one);
    return one;
  };
  return { url: await build({ paceMs: 10, trapUrl: '', keep }), opened };
}

/** A transport that may reach the loopback; it is closed when the test ends. */
export function loopbackTransport(options: HttpTransportOptions = {}): Transport {
  const transport = createHttpTransport({ allow: ['127.0.0.0/8', '::1/128'], ...options });
  onTestFinished(() => transport.close());
  return transport;
}

/** Posts a small delivery. */
export const post = (
  transport: Transport,
  url: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<TransportAnswer> =>
  transport.send({ url, headers: { 'Svc-Event-Id': 'evt_1' }, body: Buffer.from('{"a":1}') }, signal);

/** Lets undici see that a response has ended, and its connection is free. */
export async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}
