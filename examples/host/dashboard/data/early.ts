/** Requests of the first page, sent while its script is still on its way. Each answer is given once. */

const asked = new Map<string, Promise<Response>>();

/** @param url - Letter by letter as the page will ask for it. */
export function askEarly(url: string, send: (url: string) => Promise<Response>): void {
  const answer = send(url);
  // It is sent again by the page.
  answer.catch(() => asked.delete(url));
  asked.set(url, answer);
}

/** The answer to a request that was sent early; undefined for all others. */
export function earlyAnswer(url: unknown, method: string | undefined): Promise<Response> | undefined {
  if (method !== 'GET' || typeof url !== 'string') return undefined;
  const answer = asked.get(url);
  asked.delete(url);
  return answer;
}

/** Events on a page of the list. */
export const EVENTS_PAGE = 100;

/** The first page of the list without conditions. */
export const firstEvents = (project: string): string => `/projects/${project}/events?limit=${EVENTS_PAGE}`;
