import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import { type Bytes, checkBody } from './header.js';
import { type VerifierOptions } from './options.js';
import { accept, createReader, type HeaderSource, type VerifiedDelivery } from './receive.js';
import { createKeys, macs } from './sign.js';

/**
 * Makes a receiver's check on node:crypto. The check throws, so that forgetting to look at its result lets nothing
 * through: when it returns at all, the delivery is genuine.
 *
 * @returns A function of the raw request body and the request's headers. It throws {@link SignatureError} for a
 * delivery that must not be trusted, and {@link OptionError} `invalid_body`, `invalid_header` for arguments that
 * are no body or no headers.
 * @throws {@link OptionError} `invalid_secret`, `invalid_brand`, `invalid_option`
 * @see service.md 5
 */
export function createVerifier(
  options: VerifierOptions,
): (body: Bytes, headers: HeaderSource) => VerifiedDelivery {
  const read = createReader(options);
  const keys = createKeys(options);
  return (body, headers) => {
    checkBody(body);
    const candidate = read(headers);
    const expected = macs(keys, candidate.prefix, body);
    return accept(candidate, expected, equals);
  };
}

/** Room for the hex of two MACs; nothing is awaited between writing and comparing them. */
const [left, right] = [Buffer.alloc(64), Buffer.alloc(64)];

function equals(expected: string, presented: string): boolean {
  if (presented.length !== left.length) return false;
  left.write(expected, 'latin1');
  right.write(presented, 'latin1');
  return timingSafeEqual(left, right);
}
