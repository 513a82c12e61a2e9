/** URLs of receivers. Pure. */

const PATH = '/receive/';
const TOKEN = /^[\da-f]{32}$/;

/** The URL of a receiver. */
export const urlOf = (publicUrl: string, token: string): string => `${publicUrl}${PATH}${token}`;

/**
 * The token of a URL that is one of a receiver and nothing else; else null. Every part must be the same: a URL with
 * credentials, another port, a longer path, a query or a fragment is not ours, and the address guard judges it.
 */
export function tokenOf(publicUrl: string, url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { href, pathname } = new URL(url);
  const token = pathname.slice(PATH.length);
  return TOKEN.test(token) && href === urlOf(publicUrl, token) ? token : null;
}
