/** The look-up of host names that transports use by default. */
import { Resolver } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { assertMembers, type Checks, invalid, optional, texts } from '../../delivery/arguments.js';

/** Options of {@link createLookup}. */
export interface LookupOptions {
  /**
   * DNS servers as `address` or `address:port`.
   *
   * @defaultValue those of the system
   */
  readonly servers?: readonly string[];
}

const OPTIONS: Checks<LookupOptions> = { servers: optional(texts) };

/** Time until the first query to a DNS server is repeated. */
const FIRST_TRY_MS = 2_000;
const TRIES = 3;
/**
 * Longest wait for the second family of addresses after the first one was answered: some name servers never answer
 * AAAA. A later answer is not used, so safety does not depend on this wait. It only finds more names that have a
 * refused address.
 */
const OTHER_FAMILY_MS = 1_000;

/**
 * Resolves names with DNS queries for IPv4 and IPv6 at the same time.
 *
 * `dns.lookup` would occupy a thread of Node's pool for each name, and Node lets DNS use two threads: a few customers
 * with name servers that never answer would stop every delivery. On the other hand, DNS queries ignore `/etc/hosts` and
 * search domains; give `dns.lookup` to the transport where these are needed.
 *
 * @param options - Which servers to ask.
 * @returns A function for the `lookup` option of the transport; `net.connect` accepts it too.
 * @throws {@link OptionError} `invalid_option`, naming what to give.
 */
export function createLookup(options: LookupOptions = {}): LookupFunction {
  assertMembers<LookupOptions>('createLookup', options, OPTIONS);
  const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  if (options.servers !== undefined) ask(resolver, options.servers);
  return (hostname, { all }, callback) => {
    const found = isLocalhost(hostname) ? Promise.resolve(LOOPBACK) : resolveBoth(resolver, hostname);
    found.then(
      (addresses) => {
        const [{ address, family } = { address: '', family: 0 }] = addresses;
        if (all === true) callback(null, [...addresses]);
        else callback(null, address, family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, []),
    );
  };
}

function ask(resolver: Resolver, servers: readonly string[]): void {
  try {
    resolver.setServers(servers);
  } catch {
    throw invalid('servers: give addresses of DNS servers, such as 192.0.2.1 or [2001:db8::1]:53');
  }
}

/** True for `localhost` and all names under it, which RFC 6761 reserves for loopback addresses. */
export const isLocalhost = (hostname: string): boolean => /(^|\.)localhost\.?$/i.test(hostname);

/** The addresses of {@link isLocalhost} names. */
export const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The addresses of both families that are answered in time; rejects with the error for IPv4 when there are none. */
function resolveBoth(resolver: Resolver, hostname: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    const found: LookupAddress[] = [];
    let pending = 2;
    let failure: Error | null = null;
    let grace: NodeJS.Timeout | undefined;
    const settle = (family: 4 | 6) => (error: Error | null, addresses: string[] | undefined) => {
      for (const address of addresses ?? []) found.push({ address, family });
      if (error !== null && (failure === null || family === 4)) failure = error;
      pending--;
      if (pending > 0) {
        if (found.length > 0) grace = setTimeout(() => resolve(found), OTHER_FAMILY_MS);
        return;
      }
      clearTimeout(grace);
      if (found.length > 0) resolve(found);
      else reject(failure ?? new Error('no address'));
    };
    resolver.resolve4(hostname, settle(4));
    resolver.resolve6(hostname, settle(6));
  });
}
