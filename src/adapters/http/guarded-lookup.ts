/** Name look-ups whose answers the address guard has checked. */
import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressGuard } from './address-guard.js';
import { AttemptError, codeOf, isSystemCode } from './failure.js';

/**
 * Wraps a name look-up so that it fails when the guard refuses any of the answers. It passes on copies of the checked
 * addresses, so that neither a second answer nor a later change can bring another address.
 *
 * The look-up may be a host's function. Whatever it answers, throws or rejects with, the callback is called once,
 * asynchronously, with addresses or an {@link AttemptError}.
 */
export function guardLookup(lookup: LookupFunction, guard: AddressGuard): LookupFunction {
  return (hostname, options, callback) => {
    const judged = ask(lookup, hostname, options)
      .then((answer) => judge(hostname, answer, guard))
      .catch((error: unknown) => unresolved(hostname, codeOf(error)));
    void judged.then((addresses) => {
      if (addresses instanceof AttemptError) callback(addresses, []);
      else if (options.all === true) callback(null, [...addresses]);
      else callback(null, addresses[0].address, addresses[0].family);
    });
  };
}

/** A look-up may return a value despite its type: an async function returns a promise, which may reject. */
type AnyLookup = (...question: Parameters<LookupFunction>) => unknown;

/** The answer of a look-up as a promise, which also catches what it throws. */
const ask = (lookup: AnyLookup, hostname: string, options: LookupOptions): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const returned = lookup(hostname, { ...options, all: true }, (error, answer) => {
      if (error) reject(error);
      else resolve(answer);
    });
    Promise.resolve(returned).catch(reject);
  });

/** All addresses of an answer; or an error when one of them is refused or is not an address. */
function judge(
  hostname: string,
  answer: unknown,
  guard: AddressGuard,
): readonly [LookupAddress, ...LookupAddress[]] | AttemptError {
  const addresses: LookupAddress[] = [];
  for (const address of textsOf(answer)) {
    if (address === null) return unresolved(hostname, 'EBADRESP');
    const purpose = guard.refusal(address);
    if (purpose !== null) return refused(hostname, purpose);
    addresses.push({ address, family: isIP(address) });
  }
  const [first, ...rest] = addresses;
  return first === undefined ? unresolved(hostname, 'ENODATA') : [first, ...rest];
}

/**
 * The addresses in `'192.0.2.1'` or `[{ address: '192.0.2.1', family: 4 }]` as text; `null` for each entry without one.
 */
function textsOf(answer: unknown): readonly (string | null)[] {
  if (answer === undefined || answer === null) return [];
  const entries: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  return entries.map(textOf);
}

function textOf(entry: unknown): string | null {
  const address = typeof entry === 'object' && entry !== null && 'address' in entry ? entry.address : entry;
  return typeof address === 'string' ? address : null;
}

/** The message does not name the address, which would reveal a private network to customers. */
export const refused = (host: string, purpose: string): AttemptError =>
  new AttemptError(
    'address_refused',
    `${host} is, or resolves to, an address that is not public (${purpose}); use one that is`,
  );

const unresolved = (host: string, code: string): AttemptError => {
  const known = DNS_CODES.has(code) || isSystemCode(code);
  return new AttemptError('dns_failure', `${host} could not be resolved (${known ? code : 'unknown error'})`);
};

/**
 * Codes of `node:dns` and of getaddrinfo.
 *
 * @see https://nodejs.org/api/dns.html#error-codes
 */
const DNS_CODES: ReadonlySet<string> = new Set([
  'ENODATA',
  'EFORMERR',
  'ESERVFAIL',
  'ENOTFOUND',
  'ENOTIMP',
  'EREFUSED',
  'EBADQUERY',
  'EBADNAME',
  'EBADFAMILY',
  'EBADRESP',
  'ECONNREFUSED',
  'ETIMEOUT',
  'EOF',
  'EFILE',
  'ENOMEM',
  'EDESTRUCTION',
  'EBADSTR',
  'EBADFLAGS',
  'ENONAME',
  'EBADHINTS',
  'ENOTINITIALIZED',
  'ECANCELLED',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_MEMORY',
  'EAI_NODATA',
  'EAI_NONAME',
  'EAI_SYSTEM',
]);
