/** The HTTP transport, to a receiver of the run. */
import { type AttemptOutcome, createHttpTransport, type HttpTransportOptions } from 'headgate/http';
import { createSigner } from 'headgate/signing';
import { given } from '../given.js';
import { type Checks, equal } from './checks.js';

const SECRET = 'whsec_of_runtimes';
const BODY = new TextEncoder().encode('{"id":"evt_1","data":"é😀"}');
const sign = createSigner({ secrets: SECRET });
const LOOPBACK = { allow: ['127.0.0.0/8', '::1'] };

/** The outcome of one signed attempt. */
async function send(
  path: string,
  options: HttpTransportOptions = LOOPBACK,
  signal = new AbortController().signal,
): Promise<AttemptOutcome> {
  const transport = createHttpTransport(options);
  const timestamp = Math.floor(Date.now() / 1_000);
  const about = { eventId: 'evt_1', eventType: 'x', origin: 'live' as const, timestamp };
  try {
    const url = new URL(path, given.hooks).href;
    return await transport.send({ url, body: BODY, headers: sign.headers(BODY, about) }, signal);
  } finally {
    await transport.close();
  }
}

const shown = (outcome: AttemptOutcome): string =>
  outcome.ok ? `${outcome.status}` : `${outcome.failure} ${outcome.status ?? ''}`.trim();

/** The checks of the transport. */
export const httpChecks: Checks = {
  'a signed delivery arrives as it was signed': async () =>
    equal(shown(await send('/verify')), '204', 'answer'),

  'a receiver that is busy': async () => {
    const outcome = await send('/busy');
    equal([shown(outcome), !outcome.ok && outcome.transient], ['http_status 503', true], 'outcome');
  },

  'a redirect is not followed': async () => equal(shown(await send('/moved')), 'http_status 307', 'outcome'),

  'a connection that is reset': async () => equal(shown(await send('/reset')), 'connection_reset', 'outcome'),

  'an answer that is not HTTP': async () => equal(shown(await send('/garbage')), 'protocol_error', 'outcome'),

  'an attempt that hangs ends with its signal': async () => {
    const aborting = new AbortController();
    const outcome = send('/hang', LOOPBACK, aborting.signal);
    setTimeout(() => aborting.abort(), 200);
    equal((await outcome).ok, false, 'delivered');
  },

  'nobody listens': async () => {
    equal(shown(await send('http://127.0.0.1:9/')), 'connection_refused', 'outcome');
  },

  'private addresses are refused, and names that lead to them': async () => {
    equal(shown(await send('/verify', {})), 'address_refused', 'an address');
    const named = given.hooks.replace('127.0.0.1', 'localhost');
    equal(shown(await send(named, {})), 'address_refused', 'a name');
  },
};
