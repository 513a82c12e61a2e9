/** Verifying on node:crypto. */
import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import type { Bytes } from './body.js';
import type { HeaderSource } from './header-source.js';
import type { VerifierOptions } from './options.js';
import type { VerifiedDelivery } from './reader.js';
import { createReceiver } from './receive.js';
import { createMacs } from './sign.js';

/**
 * Makes a receiver's check on node:crypto. The check throws for a delivery that is not genuine, so a handler that
 * ignores its result still accepts no forgery. When it returns, the delivery is genuine.
 *
 * @example
 * ```ts
 * import { createSigner, createVerifier } from 'headgate/signing';
 *
 * const about = { eventId: 'evt_1', eventType: 'ping', origin: 'live', timestamp: 1_700_000_000 } as const;
 * const headers = createSigner({ secrets: 'whsec_test' }).headers('{}', about);
 *
 * const verify = createVerifier({ secrets: 'whsec_test', now: () => 1_700_000_003 });
 * // The request: its raw body, and its headers.
 * console.log(verify('{}', headers).eventId); // evt_1
 * ```
 * @returns A function of the raw request body and the request's headers. It throws {@link SignatureError} for a
 * delivery that must not be trusted, and {@link OptionError} `invalid_body` or `invalid_header` where it was not
 * given a raw body and headers.
 * @throws {@link OptionError} `invalid_secret`, `invalid_brand`, `invalid_option`
 * @see docs/signing.md
 */
export function createVerifier(
  options: VerifierOptions,
): (body: Bytes, headers: HeaderSource) => VerifiedDelivery {
  const { keys, read, judge } = createReceiver(options);
  const macs = { svc: createMacs(keys.svc), standard_webhooks: createMacs(keys.standard_webhooks) };
  return (body, headers) => {
    const candidate = read(body, headers);
    return judge(candidate, macs[candidate.scheme](candidate), equals);
  };
}

/** Two buffers for texts of this length. */
const buffersOf = (length: number) => [Buffer.alloc(2 * length), Buffer.alloc(2 * length)] as const;
/**
 * Buffers for two MACs, in hex and in base64. All calls share them, which are synchronous; two new buffers for each
 * call cost more.
 */
const BUFFERS = { 64: buffersOf(64), 44: buffersOf(44) } as const;

/** Both bytes of a code unit are compared: cut to one byte, U+0133 would equal the digit 3. */
function equals(mac: string, v1: string): boolean {
  if (v1.length !== mac.length) return false;
  const [left, right] = BUFFERS[mac.length as keyof typeof BUFFERS];
  left.write(mac, 'utf16le');
  right.write(v1, 'utf16le');
  return timingSafeEqual(left, right);
}
