/** The options of the transport, and their checks. */
import { X509Certificate } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { invalid, isPlainObject, kindOf } from '../../delivery/arguments.js';
import { ATTEMPT_TIMEOUT_MS } from '../../delivery/transport.js';
import { isIntegerIn } from '../../integers.js';
import type { AddressRules } from './address-guard.js';

/** Options of `createHttpTransport`. */
export interface HttpTransportOptions extends AddressRules {
  /**
   * Longest time from the start of an attempt to complete response headers, in milliseconds, including look-up,
   * connection and TLS. At most {@link ATTEMPT_TIMEOUT_MS}, for which leases are long enough.
   *
   * @defaultValue `10_000`
   * @see docs/delivery.md
   */
  readonly timeoutMs?: number;
  /**
   * Resolves host names. Every answer is checked before a connection is made.
   *
   * @defaultValue `createLookup()`
   */
  readonly lookup?: LookupFunction;
  /**
   * PEM certificates of trusted authorities, for private networks and tests. Verification cannot be turned off.
   *
   * @defaultValue Node's certificates
   */
  readonly ca?: string | readonly string[];
  /**
   * Whether each answer has the {@link Exchange}: the request as it was written, the answer's headers and the first
   * 16 KiB of its body, and timings. Then an attempt lasts until that much of the body has come, or a second has
   * passed; the body never changes its outcome. A request with `exchange: false` is left out.
   *
   * @defaultValue `false`
   */
  readonly exchange?: boolean;
}

/**
 * Checks of options. Each returns what to give, or `undefined` for a valid value. The address guard checks the blocks.
 */
const CHECKS: { readonly [Name in keyof HttpTransportOptions]-?: (value: unknown) => string | undefined } = {
  allow: unlessList,
  deny: unlessList,
  timeoutMs: (value) =>
    isIntegerIn(value, 1, ATTEMPT_TIMEOUT_MS)
      ? undefined
      : `whole milliseconds from 1 to ${ATTEMPT_TIMEOUT_MS}`,
  lookup: (value) => (typeof value === 'function' ? undefined : 'a function such as createLookup() gives'),
  exchange: (value) => (typeof value === 'boolean' ? undefined : 'true or false'),
  ca: (value) =>
    [value].flat().every(isCertificate) ? undefined : 'a certificate in PEM, or an array of them',
};

/** @throws {@link OptionError} `invalid_option`, naming every option that is unknown or of the wrong type. */
export function assertOptions(options: HttpTransportOptions): void {
  if (!isPlainObject(options)) {
    const known = Object.keys(CHECKS).join(', ');
    throw invalid(`give one object of options (${known}), not ${kindOf(options)}`);
  }
  const problems = Object.entries(options).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    if (!Object.hasOwn(CHECKS, name)) return `unknown option ${name}: use ${Object.keys(CHECKS).join(', ')}`;
    const problem = CHECKS[name as keyof HttpTransportOptions](value);
    return problem === undefined ? [] : `${name} ${shown(value)}: ${problem}`;
  });
  if (problems.length > 0) throw invalid(problems.join('; '));
}

function unlessList(value: unknown): string | undefined {
  return Array.isArray(value) ? undefined : 'an array of CIDR blocks, such as ["127.0.0.0/8"]';
}

function isCertificate(pem: unknown): boolean {
  if (typeof pem !== 'string') return false;
  try {
    void new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}

/** The value of a number, or the type of another value, since a certificate is long. */
const shown = (value: unknown): string => (typeof value === 'number' ? String(value) : `(${typeof value})`);
