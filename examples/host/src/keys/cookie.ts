/** The cookies of sessions: their names, their attributes, and their one spelling. Pure. */
import { originOf } from '../http/origin.js';

/** The name and the attributes of a cookie at one address of the service. */
export interface SessionCookie {
  readonly name: string;
  /** False only on plain HTTP to this machine, where browsers store no `Secure` cookie. */
  readonly isSecure: boolean;
  /** True for a session of the portal, which has a cookie of its own for each site that frames it. */
  readonly isPortal: boolean;
}

/**
 * The header with which the pages of the portal say which session they mean. A browser may have both, and no page of
 * another origin can set it.
 */
export const PORTAL_HEADER = 'headgate-portal';

/** With this prefix, browsers take the cookie only over TLS and from this very host, not from one beside it. */
const SECURE: SessionCookie = { name: '__Host-headgate', isSecure: true, isPortal: false };
const LOOPBACK: SessionCookie = { name: 'headgate', isSecure: false, isPortal: false };
/** Chromium stores it on plain HTTP to this machine, too. Without `Secure`, no browser takes a cookie of a frame. */
const PORTAL: SessionCookie = { name: '__Host-headgate-portal', isSecure: true, isPortal: true };

/**
 * The cookie to set and to read.
 *
 * @param headers - Headers of the request.
 * @param origin - The origin that the configuration names, if it does.
 */
export function cookieFor(headers: Headers, origin: string | undefined): SessionCookie {
  if (headers.has(PORTAL_HEADER)) return PORTAL;
  const own = originOf(headers, origin);
  return own !== null && isPlainLoopback(own) ? LOOPBACK : SECURE;
}

function isPlainLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const isLoopback = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === 'http:' && isLoopback;
}

/** The value of a Set-Cookie header; with an empty token it takes the cookie away. */
export function setCookie(
  { name, isSecure, isPortal }: SessionCookie,
  token: string,
  maxAgeSeconds: number,
): string {
  // A cookie of a frame is of another site, and is stored for that frame's site alone.
  const site = isPortal ? 'SameSite=None; Partitioned' : 'SameSite=Strict';
  return `${name}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; ${site}${isSecure ? '; Secure' : ''}`;
}

/** The token that a request carries; null without one, and where there are two, of which one is planted. */
export function tokenIn(headers: Headers, { name }: SessionCookie): string | null {
  const [token, ...more] = valuesOf(headers, name);
  return token !== undefined && more.length === 0 ? token : null;
}

/** Every token that a request carries of the session that it means, by either name: all that a sign-out ends. */
export const tokensIn = (headers: Headers): readonly string[] =>
  (headers.has(PORTAL_HEADER) ? [PORTAL] : [SECURE, LOOPBACK]).flatMap(({ name }) => valuesOf(headers, name));

/** Values as they stand: a quoted or an encoded token is another text, and no token. */
const valuesOf = (headers: Headers, name: string): readonly string[] =>
  (headers.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.replace(/^[ \t]+/, ''))
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
