/** The policy of the pages: they load from this very host alone, and turn no text into script or markup. */

const policy = (ancestors: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Headers of every answer to a page, and of all other files too, since somebody may open them as a page. */
export const PAGE_HEADERS = headersFor([]);

/** The same for pages that some origins may show in a frame. */
export type PageHeaders = Readonly<Record<string, string>>;

/** @param ancestors - Origins whose pages may frame them; without any, framing is refused. */
export function headersFor(ancestors: readonly string[]): PageHeaders {
  return {
    'content-security-policy': policy(ancestors),
    // For browsers that do not know frame-ancestors; it cannot name origins.
    ...(ancestors.length === 0 && { 'x-frame-options': 'DENY' }),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}
