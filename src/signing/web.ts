/**
 * Signing and verifying on WebCrypto, for any runtime: browsers' workers, edge functions, Deno, Bun, Node. The same
 * names and errors as `headgate/signing`; what is synchronous there returns promises here.
 *
 * @module
 */
import { type Bytes, checkBody, deliveryHeaders, type DeliveryDetails, signedPrefix } from './header.js';
import { checkBrand, checkSecrets, type SignerOptions, type VerifierOptions } from './options.js';
import { accept, createReader, type HeaderSource, type VerifiedDelivery } from './receive.js';

export { OptionError } from '../errors.js';
export { SignatureError, type SignatureErrorCode } from './signature-error.js';
export type { Bytes, DeliveryDetails, HeaderSource, SignerOptions, VerifiedDelivery, VerifierOptions };
export type { Origin } from './header.js';
export type { HeaderReader } from './receive.js';

/** Signs deliveries. Every attempt is signed anew, with its own time, over the very bytes that are sent. */
export interface Signer {
  /**
   * The value of the signature header: `t=<timestamp>`, then a `v1=<hex>` for each secret.
   *
   * @param body - The bytes that will be sent.
   * @param timestamp - Time of the attempt, in whole Unix seconds.
   * @throws {@link OptionError} `invalid_timestamp`, `invalid_body`, as a rejection
   * @see docs/signing.md
   */
  signature(body: Bytes, timestamp: number): Promise<string>;
  /**
   * All seven headers of a delivery.
   *
   * @param body - The bytes that will be sent.
   * @param about - What the headers say besides the signature.
   * @throws {@link OptionError} `invalid_timestamp`, `invalid_body`, `invalid_header`, as a rejection
   * @see docs/signing.md
   */
  headers(body: Bytes, about: DeliveryDetails): Promise<Record<string, string>>;
}

/**
 * Makes a signer on WebCrypto.
 *
 * @throws {@link OptionError} `invalid_secret`, `invalid_brand`
 */
export function createSigner(options: SignerOptions): Signer {
  const brand = checkBrand(options.brand);
  const macs = createMacs(options);
  const signature: Signer['signature'] = async (body, timestamp) => {
    checkBody(body);
    const found = await macs(signedPrefix(timestamp), body);
    return [`t=${timestamp}`, ...found].join(',v1=');
  };
  return {
    signature,
    headers: async (body, about) => deliveryHeaders(brand, about, await signature(body, about.timestamp)),
  };
}

/**
 * Makes a receiver's check on WebCrypto. The check rejects, so that forgetting to look at its result lets nothing
 * through as long as it is awaited: when it resolves, the delivery is genuine.
 *
 * @returns A function of the raw request body and the request's headers. It rejects with {@link SignatureError} for a
 * delivery that must not be trusted, and with {@link OptionError} `invalid_body` for a body that is neither
 * bytes nor text.
 * @throws {@link OptionError} `invalid_secret`, `invalid_brand`, `invalid_option`
 * @see docs/signing.md
 */
export function createVerifier(
  options: VerifierOptions,
): (body: Bytes, headers: HeaderSource) => Promise<VerifiedDelivery> {
  const read = createReader(options);
  const macs = createMacs(options);
  return async (body, headers) => {
    checkBody(body);
    const candidate = read(headers);
    const expected = await macs(candidate.prefix, body);
    const matches = expected.flatMap((mac) => candidate.v1.filter((value) => equals(mac, value)));
    return accept(candidate, matches.length > 0);
  };
}

const encoder = new TextEncoder();

/**
 * The MACs of a payload, one for each secret, as lower-case hex. Keys are imported at first use and kept: some
 * runtimes allow no asynchronous work while a module loads, and none share a pending promise between requests.
 */
function createMacs(options: SignerOptions): (prefix: string, body: Bytes) => Promise<readonly string[]> {
  const secrets = checkSecrets(options.secrets);
  let keys: readonly CryptoKey[] | undefined;
  return async (prefix, body) => {
    const payload = encode(prefix, body);
    keys ??= await Promise.all(secrets.map(importKey));
    return Promise.all(keys.map((key) => mac(key, payload)));
  };
}

const importKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);

async function mac(key: CryptoKey, payload: BufferSource): Promise<string> {
  const bytes = await crypto.subtle.sign('HMAC', key, payload);
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** WebCrypto takes its input in one piece. A copy, so that no change to the body while it waits is signed. */
function encode(prefix: string, body: Bytes): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return encoder.encode(prefix + body);
  const payload = new Uint8Array(prefix.length + body.byteLength);
  encoder.encodeInto(prefix, payload);
  payload.set(new Uint8Array(body.buffer, body.byteOffset, body.byteLength), prefix.length);
  return payload;
}

/** Compares without telling by its time where two texts of equal length differ. */
function equals(expected: string, presented: string): boolean {
  let difference = expected.length ^ presented.length;
  for (let i = 0; i < expected.length; i++) difference |= expected.charCodeAt(i) ^ presented.charCodeAt(i);
  return difference === 0;
}
