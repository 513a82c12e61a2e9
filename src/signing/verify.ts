import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import { type Bytes, checkBody } from './header.js';
import { type VerifierOptions } from './options.js';
import { accept, createReader, type HeaderSource, type VerifiedDelivery } from './receive.js';
import { createKeys, mac } from './sign.js';

/**
 * Makes a receiver's check on node:crypto. The check throws, so that forgetting to look at its result lets nothing
 * through: when it returns at all, the delivery is genuine.
 *
 * @returns A function of the raw request body and the request's headers. It throws {@link SignatureError} for a
 * delivery that must not be trusted, and {@link OptionError} `invalid_body` for a body that is neither bytes nor
 * text.
 * @throws {@link OptionError} `invalid_secret`, `invalid_brand`, `invalid_option`
 * @see docs/signing.md
 */
export function createVerifier(
  options: VerifierOptions,
): (body: Bytes, headers: HeaderSource) => VerifiedDelivery {
  const read = createReader(options);
  const keys = createKeys(options);
  return (body, headers) => {
    checkBody(body);
    const candidate = read(headers);
    let genuine = false;
    for (const key of keys) {
      const expected = mac(key, candidate.prefix, body);
      for (const value of candidate.v1) genuine = equals(expected, value) || genuine;
    }
    return accept(candidate, genuine);
  };
}

/** Room for the hex of two MACs, kept since two buffers a call cost more; nothing is awaited between writing and comparing them. */
const [left, right] = [Buffer.alloc(64), Buffer.alloc(64)];

function equals(expected: string, presented: string): boolean {
  if (presented.length !== left.length) return false;
  left.write(expected, 'latin1');
  right.write(presented, 'latin1');
  return timingSafeEqual(left, right);
}
