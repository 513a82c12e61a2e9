/** The API: the typed client, with a session that may end in between, and a service that may be away. */
import { createApi } from '../../src/client/index.js';
import { askEarly, earlyAnswer, firstEvents } from './early.js';
import { lost, sending } from './online.js';
import { MEANT } from './root.js';
import { sessionBegan, sessionEnded, sessionLeft } from './session.js';

export { ApiError, type Output, type Input, textOf, versionOf } from '../../src/client/index.js';

/** A request that is answered 401 waits until somebody has signed in again, and is sent once more: nothing is lost. */
const sent: typeof fetch = async (input, init) => {
  const response = await (earlyAnswer(input, init?.method) ?? answered(input, init));
  if (response.status !== 401 || input === '/session') return response;
  return (await sessionEnded()) ? answered(input, init) : response;
};

async function answered(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const reached = sending();
  try {
    const response = await fetch(input, { ...init, headers: { ...init.headers, ...MEANT } });
    reached();
    return response;
  } catch (error) {
    if (init.signal?.aborted !== true) lost();
    throw error;
  }
}

/** A method for each route; the session is a cookie. */
export const api = createApi({ baseUrl: '', fetch: sent });

/** The same with answers that something else reads first, such as a stream. */
export const apiThrough = (wrap: (send: typeof fetch) => typeof fetch): typeof api =>
  createApi({ baseUrl: '', fetch: wrap(sent) });

/**
 * Finds out who is signed in.
 *
 * @param isAtEvents - Whether the page is the list of events, without conditions: its answer is asked for at once.
 */
export async function findSession(isAtEvents: boolean): Promise<void> {
  try {
    const session = await api.getSession();
    if (isAtEvents && session.project !== null) {
      askEarly(firstEvents(session.project), (url) => answered(url, { credentials: 'same-origin' }));
    }
    sessionBegan(session);
  } catch {
    sessionLeft();
  }
}

/** Signs in by a key or by a one-time token. */
export async function signIn(by: { readonly key: string } | { readonly token: string }): Promise<void> {
  sessionBegan(await api.signIn({ body: by }));
}

/** Opens the portal by a one-time token. One that was used does no harm while the session that it began is there. */
export async function openPortal(token: string): Promise<void> {
  await signIn({ token }).catch(() => findSession(false));
}

/** `#token=…`, or the token alone. It leaves the address, and so the history, before anything else. */
export function takeToken(): string | null {
  const fragment = location.hash.slice(1);
  if (fragment === '') return null;
  history.replaceState(null, '', location.pathname + location.search);
  return new URLSearchParams(fragment).get('token') ?? fragment;
}

export async function signOut(): Promise<void> {
  await api.signOut();
  sessionLeft();
}
