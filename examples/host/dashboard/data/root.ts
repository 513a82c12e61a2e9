/**
 * Tells the dashboard and the portal apart, which are the same pages: the portal is under paths of its own, with a
 * session of its own, for people of a customer.
 */

/** True for the portal, for as long as the page lives. */
export const isPortal = /^\/portal(?:\/|$)/.test(location.pathname);

/** The beginning of every address of a page. */
export const ROOT = isPortal ? '/portal' : '/dashboard';

/** Says which session a request means: a browser may have that of the dashboard, too. */
export const MEANT: Readonly<Record<string, string>> = isPortal ? { 'headgate-portal': '1' } : {};
