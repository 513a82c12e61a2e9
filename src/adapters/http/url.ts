/** Checks of endpoints' URLs, when they are saved and before each attempt. */
import { isIP } from 'node:net';
import type { AddressGuard, AddressRules } from './address-guard.js';
import { createAddressGuard } from './address-guard.js';
import { isLocalhost, LOOPBACK } from './lookup.js';
import { assertOptions } from './options.js';

/** The reason why deliveries cannot be sent to a URL. */
export interface UrlProblem {
  readonly code: 'url_refused' | 'address_refused';
  /** Says what is wrong and what to write instead. Has no credentials, path or query of the URL. */
  readonly message: string;
}

/** Servers need not accept more than 8,000 characters (RFC 9112, 3). */
const MAX_URL_LENGTH = 8_192;
/** Longest name in octets, without a final dot (RFC 1035, 2.3.4). URL has converted it to ASCII. */
const MAX_HOST_LENGTH = 253;
/** Longest scheme that a message quotes. */
const MAX_SCHEME_LENGTH = 32;

/**
 * Checks an endpoint's URL when it is saved: its syntax, and its host where that is an IP address. Names are not looked
 * up; their addresses are checked at every connection.
 *
 * @example
 * ```ts
 * import { checkUrl } from 'headgate/http';
 *
 * console.log(checkUrl('https://example.com/hooks')); // null
 * console.log(checkUrl('http://169.254.169.254/')?.code); // address_refused
 * ```
 * @param url - The customer's text.
 * @param rules - The `allow` and `deny` of the transport.
 * @returns `null` for a valid URL.
 * @throws {@link OptionError} `invalid_option` for an invalid block in `rules` or an unknown option.
 */
export function checkUrl(url: string, rules: AddressRules = {}): UrlProblem | null {
  assertOptions(rules);
  const target = parseTarget(url, createAddressGuard(rules));
  return target instanceof URL ? null : target;
}

/** The parsed URL, which the connection uses, or the problem with it. */
export function parseTarget(url: string, guard: AddressGuard): URL | UrlProblem {
  if (typeof url !== 'string' || !URL.canParse(url)) {
    return refusedUrl('not an absolute URL; write it as https://host/path');
  }
  if (url.length > MAX_URL_LENGTH) return refusedUrl(`longer than ${MAX_URL_LENGTH} characters`);
  const target = new URL(url);
  if (target.protocol !== 'https:' && target.protocol !== 'http:') {
    const scheme = target.protocol.length > MAX_SCHEME_LENGTH ? '' : ` ${target.protocol}`;
    return refusedUrl(`the scheme${scheme} is not supported; use https: or http:`);
  }
  if (target.username !== '' || target.password !== '') {
    return refusedUrl(
      'credentials in the URL are not supported; deliveries are authenticated by their signature',
    );
  }
  const host = bareHost(target);
  if (host.replace(/\.$/, '').length > MAX_HOST_LENGTH || /[^.]{64}/.test(host)) {
    return refusedUrl(
      `the host is too long for a DNS name: at most ${MAX_HOST_LENGTH} characters, and 63 between two dots`,
    );
  }
  const refused = refusedHost(host, guard);
  if (refused !== null) return refused;
  if (BLOCKED_PORTS.has(Number(target.port))) {
    return refusedUrl(`port ${target.port} belongs to another protocol; use 443, 80 or a port above 1024`);
  }
  return target;
}

/** The host without the brackets of an IPv6 address. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

function refusedHost(host: string, guard: AddressGuard): UrlProblem | null {
  const addresses = isLocalhost(host)
    ? LOOPBACK.map(({ address }) => address)
    : isIP(host) === 0
      ? []
      : [host];
  for (const address of addresses) {
    const purpose = guard.refusal(address);
    if (purpose === null) continue;
    return {
      code: 'address_refused',
      message: `${host} is not a public address (${purpose}); use one that is`,
    };
  }
  return null;
}

const refusedUrl = (message: string): UrlProblem => ({ code: 'url_refused', message });

/**
 * Ports of services that read lines of text, such as mail and chat, and could execute lines of a POST as commands.
 * Fetch blocks some ports below 20 too, whose services take no commands.
 *
 * @see https://fetch.spec.whatwg.org/#port-blocking
 */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117,
  119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548,
  554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
