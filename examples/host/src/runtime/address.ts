/** The address of the service on this machine. Pure. */

/** Addresses that stand for all of a machine. They can be listened on, and not called everywhere. */
const ALL_ADDRESSES = new Set(['0.0.0.0', '::']);

/** The URL at which a browser of this machine reaches what listens there, such as `http://127.0.0.1:8080`. */
export function localUrl(host: string, port: number): string {
  const name = ALL_ADDRESSES.has(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** A link that signs in once. Its token is in the fragment, which browsers never send and no log has. */
export const signInUrl = (url: string, token: string): string => `${url}/sign-in#token=${token}`;
