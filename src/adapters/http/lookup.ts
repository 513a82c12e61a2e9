/** Look-ups of host names, bounded in number and time. */
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

/** Milliseconds until the first question to a DNS server is asked again. */
const FIRST_TRY_MS = 2_000;
const TRIES = 3;
/**
 * Milliseconds that an answer for one family waits for the other one's: some name servers never answer AAAA. What comes
 * later is not used, so that waiting is no matter of safety: it finds out more names that have a refused address too.
 */
const OTHER_FAMILY_MS = 1_000;

/**
 * Resolves names by asking DNS itself, IPv4 and IPv6 at once.
 *
 * `dns.lookup` would occupy a thread of Node's pool for each question, of which it grants DNS two: a
 * handful of customers with name servers that never answer would stop every delivery. The price is that
 * `/etc/hosts` and search domains are not consulted; pass `dns.lookup` to the transport where they are needed.
 *
 * @param options - Which servers to ask.
 * @returns What `lookup` of the transport takes, and `net.connect` too.
 * @throws {@link OptionError} `invalid_option`, naming what to give.
 */
export function createLookup(options: LookupOptions = {}): LookupFunction {
  assertMembers<LookupOptions>('createLookup', options, OPTIONS);
  const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  if (options.servers !== undefined) ask(resolver, options.servers);
  return (hostname, { all }, callback) => {
    const found = isLocalhost(hostname) ? Promise.resolve(loopback) : resolveBoth(resolver, hostname);
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

/** `localhost` and every name under it are loopback by RFC 6761, whatever DNS says. */
export const isLocalhost = (hostname: string): boolean => /(^|\.)localhost\.?$/i.test(hostname);

/** What {@link isLocalhost} names stand for. */
export const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** All addresses of both families that come in time; rejects with the error for IPv4 when there is none. */
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
