/**
 * Signing and verifying on WebCrypto, for any runtime: browsers' workers, edge functions, Deno, Bun, Node. The names
 * and errors are those of `headgate/signing`; functions that are synchronous there return promises here.
 *
 * @module headgate/signing/web
 */
import type { DeliveryDetails } from '../delivery-details.js';
import type { Bytes, Payload } from './body.js';
import type { HeaderSource } from './header-source.js';
import type { SignerOptions, VerifierOptions } from './options.js';
import type { VerifiedDelivery } from './reader.js';
import { createReceiver } from './receive.js';
import type { SchemeKeys } from './schemes.js';
import { createSender, draftSignature, seal } from './send.js';

export type { Origin } from '../delivery-details.js';
export { OptionError } from '../errors.js';
export { SignatureError, type SignatureErrorCode } from './signature-error.js';
export type { Bytes, DeliveryDetails, HeaderSource, SignerOptions, VerifiedDelivery, VerifierOptions };
export type { HeaderReader } from './header-source.js';
export type { Scheme, SchemeOption } from './schemes.js';

/** Signs deliveries. Sign every attempt with its own time, over exactly the bytes that are sent. */
export interface Signer {
  /**
   * The value of Svc's signature header: `t=<timestamp>`, then a `v1=<hex>` for each secret.
   *
   * @param body - The bytes that will be sent.
   * @param timestamp - Time of the attempt, in whole Unix seconds.
   * @throws {@link OptionError} `invalid_timestamp`, `invalid_body`, as a rejection
   * @see docs/signing.md
   */
  signature(body: Bytes, timestamp: number): Promise<string>;
  /**
   * All headers of a delivery, with the signatures of the signer's scheme.
   *
   * @param body - The bytes that will be sent.
   * @param about - The contents of the headers, besides the signature.
   * @throws {@link OptionError} `invalid_timestamp`, `invalid_body`, `invalid_header`, `invalid_option`, as a rejection
   * @see docs/signing.md
   */
  headers(body: Bytes, about: DeliveryDetails): Promise<Record<string, string>>;
}

/**
 * Makes a signer on WebCrypto. Both of its functions return promises: **await them**. They copy their arguments before
 * they return, so a buffer may be reused at once.
 *
 * @throws {@link OptionError} `invalid_secret`, `invalid_brand`, `invalid_option`
 */
export function createSigner(options: SignerOptions): Signer {
  const { keys, draftHeaders, sealHeaders } = createSender(options);
  const svc = createMacs(keys.svc);
  const standard = createMacs(keys.standard_webhooks);
  return {
    async signature(body, timestamp) {
      const draft = draftSignature(body, timestamp);
      return seal(timestamp, await svc(draft));
    },
    async headers(body, about) {
      const draft = draftHeaders(body, about);
      const { svc: own, standard_webhooks: other } = draft.payloads;
      // Both copy the body at once.
      const [first, second] = await Promise.all([own && svc(own), other && standard(other)]);
      return sealHeaders(draft, { svc: first, standard_webhooks: second });
    },
  };
}

/**
 * Makes a receiver's check on WebCrypto. **Its promise must be awaited**: it rejects for a delivery that is not
 * genuine, and a handler that does not wait has verified nothing. Once it has resolved, the delivery is genuine.
 *
 * @example
 * ```ts
 * import { createSigner, createVerifier } from 'headgate/signing/web';
 *
 * const about = { eventId: 'evt_1', eventType: 'ping', origin: 'live', timestamp: 1_700_000_000 } as const;
 * const headers = await createSigner({ secrets: 'whsec_test' }).headers('{}', about);
 *
 * const verify = createVerifier({ secrets: 'whsec_test', now: () => 1_700_000_003 });
 * const { origin } = await verify('{}', headers); // without await, nothing is refused
 * console.log(origin); // live
 * ```
 * @returns A function of the raw request body and the request's headers, whose promise **must be awaited**. It rejects
 * with {@link SignatureError} for a delivery that must not be trusted, and with {@link OptionError} `invalid_body` or
 * `invalid_header` where it was not given a raw body and headers. Both are read before it returns.
 * @throws {@link OptionError} `invalid_secret`, `invalid_brand`, `invalid_option`
 * @see docs/signing.md
 */
export function createVerifier(
  options: VerifierOptions,
): (body: Bytes, headers: HeaderSource) => Promise<VerifiedDelivery> {
  const { keys, read, judge } = createReceiver(options);
  const macs = { svc: createMacs(keys.svc), standard_webhooks: createMacs(keys.standard_webhooks) };
  return async (body, headers) => {
    const candidate = read(body, headers);
    return judge(candidate, await macs[candidate.scheme](candidate), equals);
  };
}

const UTF8 = new TextEncoder();

/**
 * The MACs of a payload, one for each key. The payload is copied before the first `await`. Keys are
 * imported at first use, since some runtimes allow no asynchronous work while a module loads. The imported keys are
 * kept, and not their promise, since some runtimes do not let requests share a pending promise.
 */
function createMacs({ keys, encoding }: SchemeKeys): (payload: Payload) => Promise<readonly string[]> {
  let imported: readonly CryptoKey[] | undefined;
  return async (payload) => {
    const bytes = encode(payload);
    imported ??= await Promise.all(keys.map(importKey));
    const macs = await Promise.all(imported.map((key) => crypto.subtle.sign('HMAC', key, bytes)));
    return macs.map((mac) => WRITTEN[encoding](new Uint8Array(mac)));
  };
}

const importKey = (key: BufferSource): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);

const WRITTEN = {
  hex: (mac: Uint8Array) => Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  base64: (mac: Uint8Array) => btoa(String.fromCharCode(...mac)),
} as const;

/**
 * WebCrypto takes its input in one piece. It is a copy, so that a change to the body during an `await` is not signed.
 */
function encode({ prefix, body }: Payload): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return UTF8.encode(prefix + body);
  const payload = new Uint8Array(prefix.length + body.length);
  UTF8.encodeInto(prefix, payload);
  payload.set(body, prefix.length);
  return payload;
}

/** Compares whole code units in a time that depends on the lengths alone. */
function equals(mac: string, v1: string): boolean {
  if (v1.length !== mac.length) return false;
  let difference = 0;
  for (let i = 0; i < mac.length; i++) difference |= mac.charCodeAt(i) ^ v1.charCodeAt(i);
  return difference === 0;
}
