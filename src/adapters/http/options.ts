/** The options of the HTTP transport. */
import { X509Certificate } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { invalid, isPlainObject, kindOf } from '../../delivery/arguments.js';
import { ATTEMPT_TIMEOUT_MS } from '../../delivery/transport.js';
import type { AddressRules } from './address-guard.js';

/** Options of `createHttpTransport`. */
export interface HttpTransportOptions extends AddressRules {
  /**
   * Milliseconds from the start of an attempt (look-up, connection and TLS included) to complete response headers; at
   * most, and by default, {@link ATTEMPT_TIMEOUT_MS}: leases are made for that.
   *
   * @defaultValue `10_000`
   * @see docs/delivery.md
   */
  readonly timeoutMs?: number;
  /**
   * Resolves host names; every answer is judged before a connection is made.
   *
   * @defaultValue `createLookup()`
   */
  readonly lookup?: LookupFunction;
  /**
   * PEM certificates of the authorities to trust, for private networks and tests. Verification cannot be turned off.
   *
   * @defaultValue those of Node
   */
  readonly ca?: string | readonly string[];
}

/** Checks of options: what a value must be, or `undefined` for a valid one. The address guard checks the blocks. */
const checks: { readonly [Name in keyof HttpTransportOptions]-?: (value: unknown) => string | undefined } = {
  allow: unlessList,
  deny: unlessList,
  timeoutMs: (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= ATTEMPT_TIMEOUT_MS
      ? undefined
      : `whole milliseconds from 1 to ${ATTEMPT_TIMEOUT_MS}`,
  lookup: (value) => (typeof value === 'function' ? undefined : 'a function such as createLookup() gives'),
  ca: (value) =>
    [value].flat().every(isCertificate) ? undefined : 'a certificate in PEM, or an array of them',
};

/** @throws {@link OptionError} `invalid_option`, naming every option that is unknown or of the wrong type. */
export function assertOptions(options: HttpTransportOptions): void {
  if (!isPlainObject(options)) {
    const known = Object.keys(checks).join(', ');
    throw invalid(`give one object of options (${known}), not ${kindOf(options)}`);
  }
  const problems = Object.entries(options).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    if (!Object.hasOwn(checks, name)) return `unknown option ${name}: use ${Object.keys(checks).join(', ')}`;
    const problem = checks[name as keyof HttpTransportOptions](value);
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

/** The number itself, or else the type: a certificate is long. */
const shown = (value: unknown): string => (typeof value === 'number' ? String(value) : `(${typeof value})`);
