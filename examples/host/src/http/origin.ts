/** The origin at which browsers reach the service. Pure. */

/** Headers that a proxy adds. A request with one of them came through a proxy, which is taken to speak TLS. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-for'];

/**
 * The origin of the pages that may make a request; null for a request without a host.
 *
 * @param headers - Headers of the request.
 * @param configured - The origin that the configuration names, such as `https://hooks.example.com`. It wins.
 */
export function originOf(headers: Headers, configured: string | undefined): string | null {
  if (configured !== undefined) return configured;
  const host = headers.get('host');
  const isProxied = PROXY_HEADERS.some((name) => headers.has(name));
  return host === null ? null : `${isProxied ? 'https' : 'http'}://${host}`;
}
