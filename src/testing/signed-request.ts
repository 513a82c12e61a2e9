/** Signed requests, as a sender makes them, and with one thing wrong: for tests of receivers in any framework. */
import type { Origin } from '../delivery-details.js';
import {
  assertMembers,
  type Check,
  type Checks,
  integer,
  invalid,
  kindOf,
  optional,
  text,
} from '../delivery/arguments.js';
import { eventBody } from '../delivery/body.js';
import type { EventLike } from '../rules/rule.js';
import { createSigner, type Signer } from '../signing/index.js';

/**
 * One thing that is wrong with a request, for which a receiver must refuse it.
 *
 * - `tampered`: the body was changed after it was signed.
 * - `stale`: it was signed an hour earlier, as one is that somebody captured and sends again.
 * - `redated_header`: it is stale, and the time in its own header was set forward, not the one in the signature.
 * - `redated_signature`: it is stale, and the time in the signature was set forward, not the one in its own header.
 * - `wrong_secret`: it is signed with another secret.
 * - `unsigned`: it has no signature.
 */
export type SignedRequestFault =
  'tampered' | 'stale' | 'redated_header' | 'redated_signature' | 'wrong_secret' | 'unsigned';

/** Options of {@link createSignedRequest}. */
export interface SignedRequestOptions {
  /** The signing secret, or several during a rotation. */
  readonly secrets: string | readonly string[];
  /**
   * The event, which is sent without its `raw_payload`.
   * @defaultValue an event `evt_1` of type `webhook.received`
   */
  readonly event?: EventLike;
  /**
   * The body to send instead of the event, as text.
   * @defaultValue the event as JSON
   */
  readonly body?: string;
  /**
   * `replay`: an operator has sent the event again.
   * @defaultValue `'live'`
   */
  readonly origin?: Origin;
  /**
   * Time of the attempt, in Unix seconds.
   * @defaultValue now
   */
  readonly timestamp?: number;
  /**
   * First part of the header names.
   * @defaultValue `'Svc'`
   */
  readonly brand?: string;
  /** @defaultValue `'http://localhost/webhooks'` */
  readonly url?: string;
  /** Headers beside those of a delivery, or instead of them. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * One thing that is wrong with it.
   * @defaultValue none: the request is genuine
   */
  readonly fault?: SignedRequestFault;
}

/** A request to a receiver. It may be given to `fetch(url, request)` as it is. */
export interface SignedRequest {
  readonly method: 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** A fetch Request; a new one for each call, since a body can be read only once. */
  readonly toRequest: () => Request;
}

/** Seconds by which a stale request is older than a fresh one. */
const STALE_SECONDS = 3_600;
/** The latest time that a header can have, in Unix seconds. */
const MAX_TIMESTAMP = 999_999_999_999;

const aFault: Check = (name, value) => {
  if (typeof value === 'string' && Object.hasOwn(faults, value)) return;
  throw invalid(`${name} is ${kindOf(value)}: give one of ${Object.keys(faults).join(', ')}`);
};

const anOrigin: Check = (name, value) => {
  if (value !== 'live' && value !== 'replay') {
    throw invalid(`${name} is ${kindOf(value)}: give 'live' or 'replay'`);
  }
};

const anEvent: Check = (name, value) => {
  if (typeof value !== 'object' || value === null) {
    throw invalid(`${name} is ${kindOf(value)}: give an object with id, type and data`);
  }
  const { id, type } = value as Partial<EventLike>;
  text(`${name}.id`, id);
  text(`${name}.type`, type);
};

const someHeaders: Check = (name, value) => {
  if (typeof value !== 'object' || value === null) {
    throw invalid(`${name} is ${kindOf(value)}: give an object of header names and values`);
  }
  for (const [header, one] of Object.entries(value)) text(`${name}: ${header}`, one);
};

const OPTIONS: Checks<SignedRequestOptions> = {
  secrets: () => undefined, // the signer checks it
  event: optional(anEvent),
  body: optional(text),
  origin: optional(anOrigin),
  timestamp: optional(integer(STALE_SECONDS, MAX_TIMESTAMP)),
  brand: optional(text),
  url: optional(text),
  headers: optional(someHeaders),
  fault: optional(aFault),
};

/**
 * A signed request, as a sender makes it, or with one thing wrong.
 *
 * @example
 * ```ts
 * import { createSignedRequest } from 'headgate/testing';
 * import { createReceiver } from 'headgate/receiver';
 *
 * const handle = ({ id }: { id: string }): void => console.log(id);
 * const receiver = createReceiver({ secrets: 'whsec_test', handle, onError: () => undefined });
 * const event = { id: 'evt_1', type: 'order.paid', data: { body: { amount: 12 } } };
 *
 * const genuine = createSignedRequest({ secrets: 'whsec_test', event });
 * console.log((await receiver.fetch(genuine.toRequest())).status);
 * // evt_1
 * // 204
 * const tampered = createSignedRequest({ secrets: 'whsec_test', event, fault: 'tampered' });
 * console.log((await receiver.fetch(tampered.toRequest())).status); // 400
 * ```
 * @throws `OptionError` `invalid_option`, `invalid_secret`, `invalid_brand`, `invalid_header`
 */
export function createSignedRequest(options: SignedRequestOptions): SignedRequest {
  assertMembers<SignedRequestOptions>('createSignedRequest', options, OPTIONS);
  const { url = 'http://localhost/webhooks', headers: more = {}, fault } = options;
  const draft = draftOf(options);
  const sent = fault === undefined ? genuine(draft) : faults[fault](draft);
  const { body } = sent;
  const headers = { ...sent.headers, ...more };
  const method = 'POST';
  return { method, url, headers, body, toRequest: () => new Request(url, { method, headers, body }) };
}

/** A request before it is signed. */
interface Draft {
  readonly body: string;
  readonly timestamp: number;
  readonly brand: string;
  readonly sign: (timestamp: number, signer?: Signer) => Record<string, string>;
}

type Sent = Pick<SignedRequest, 'body' | 'headers'>;

function draftOf(options: SignedRequestOptions): Draft {
  const { secrets, brand = 'Svc', origin = 'live' } = options;
  const { event = { id: 'evt_1', type: 'webhook.received', data: {} } } = options;
  const { timestamp = Math.floor(Date.now() / 1_000) } = options;
  const { body = new TextDecoder().decode(eventBody(event)) } = options;
  const own = createSigner({ secrets, brand });
  const about = { eventId: event.id, eventType: event.type, origin };
  return {
    body,
    timestamp,
    brand,
    sign: (at, signer = own) => signer.headers(body, { ...about, timestamp: at }),
  };
}

const genuine = ({ body, timestamp, sign }: Draft): Sent => ({ body, headers: sign(timestamp) });

const faults: Readonly<Record<SignedRequestFault, (draft: Draft) => Sent>> = {
  tampered: ({ body, timestamp, sign }) => ({ body: tamper(body), headers: sign(timestamp) }),
  stale: ({ body, timestamp, sign }) => ({ body, headers: sign(timestamp - STALE_SECONDS) }),
  redated_header({ body, timestamp, brand, sign }) {
    return { body, headers: { ...sign(timestamp - STALE_SECONDS), [`${brand}-Timestamp`]: `${timestamp}` } };
  },
  redated_signature({ body, timestamp, brand, sign }) {
    const { [`${brand}-Signature`]: signature = '', ...headers } = sign(timestamp - STALE_SECONDS);
    return {
      body,
      headers: { ...headers, [`${brand}-Signature`]: signature.replace(/^t=\d+/, `t=${timestamp}`) },
    };
  },
  wrong_secret: ({ body, timestamp, brand, sign }) => ({
    body,
    headers: sign(timestamp, createSigner({ secrets: 'whsec_of_somebody_else', brand })),
  }),
  unsigned({ body, timestamp, brand, sign }) {
    const { [`${brand}-Signature`]: _, ...headers } = sign(timestamp);
    return { body, headers };
  },
};

/**
 * The body with another meaning, and JSON where it was: a receiver that verifies JSON it has parsed and printed must
 * not pass.
 */
const tamper = (body: string): string =>
  body.startsWith('{"') ? `{"tampered":true,${body.slice(1)}` : `${body} `;
