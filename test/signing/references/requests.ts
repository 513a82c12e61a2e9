/**
 * Requests of Standard Webhooks that this package has signed: genuine ones, and each with everything that can be wrong.
 */
import { randomBytes } from 'node:crypto';
import { createSigner } from '../../../src/signing/index.js';

/** A request, as a receiver with one secret gets it. */
export interface Request {
  /** How it comes about. */
  readonly kind: string;
  readonly isGenuine: boolean;
  readonly secret: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const HOUR_SECONDS = 3_600;

const newSecret = (bytes: number): string => `whsec_${randomBytes(bytes).toString('base64')}`;

/** A delivery with one to three secrets of 24 to 64 bytes, as it is and altered. */
export function requestsOf(nth: number): readonly Request[] {
  const now = Math.floor(Date.now() / 1_000);
  const eventId = `evt_${nth}`;
  const secrets = Array.from({ length: 1 + (nth % 3) }, () => newSecret(24 + (nth % 41)));
  const signer = createSigner({ secrets, scheme: nth % 2 === 0 ? 'standard_webhooks' : 'both' });
  const body = JSON.stringify({ id: eventId, text: `Zoë "\n ${String.fromCodePoint(0x1f600 + (nth % 80))}` });
  const sent = (timestamp: number): Record<string, string> =>
    signer.headers(body, { eventId, eventType: 'invoice.paid', origin: 'live', timestamp });
  const headers = sent(now);
  const { 'webhook-signature': signature = '' } = headers;

  const genuine = { kind: 'a genuine request', isGenuine: true, body, headers };
  const others = `v1a,AAAA v1,${Buffer.alloc(32).toString('base64')}`;
  const altered = {
    'another body': { body: `${body} ` },
    'another secret': { secret: newSecret(32) },
    'another id': { headers: { 'webhook-id': `${eventId}x` } },
    'no id': { headers: { 'webhook-id': '' } },
    'another time': { headers: { 'webhook-timestamp': `${now + 1}` } },
    'no time': { headers: { 'webhook-timestamp': '' } },
    'a time in words': { headers: { 'webhook-timestamp': 'now' } },
    'an old request': { headers: sent(now - HOUR_SECONDS) },
    'a request from the future': { headers: sent(now + HOUR_SECONDS) },
    'a part of the signature': { headers: { 'webhook-signature': signature.slice(0, 'v1,'.length + 8) } },
    'another version': { headers: { 'webhook-signature': signature.replaceAll('v1,', 'v2,') } },
    'no signature': { headers: { 'webhook-signature': '' } },
  };
  const [secret = ''] = secrets;
  return [
    ...secrets.map((one) => ({ ...genuine, secret: one })),
    {
      ...genuine,
      kind: 'a genuine signature behind others',
      secret,
      headers: { ...headers, 'webhook-signature': `${others} ${signature}` },
    },
    ...Object.entries<Partial<Request>>(altered).map(([kind, change]) => ({
      ...{ kind, isGenuine: false, secret, body, ...change },
      headers: { ...headers, ...change.headers },
    })),
  ];
}
