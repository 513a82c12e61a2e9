/** Decides whether a request may be made. Pure: the principal has been found out before. */
import { Problem } from '../errors/problem.js';
import type { Principal } from './principal.js';
import type { Access, PortalRole, Scope } from './route.js';

/** A request, with the access that its route requires. */
export interface Entry {
  readonly access: Access;
  /** The role with which sessions of the portal may enter; undefined: none may. */
  readonly portal?: PortalRole | undefined;
  readonly method: string;
  /** The project in the path; null if the route is under none. */
  readonly project: string | null;
  readonly headers: Headers;
  /** Returns the origin at which browsers reach the service, such as `https://hooks.example.com`. */
  readonly origin: () => string;
}

/**
 * Lets a request pass, or throws.
 *
 * - Without valid credentials: `unauthorized`, which tells nothing about what exists.
 * - Of another project: `not_found`, as if there were no such project.
 * - Without the scope, or the role in the portal: `forbidden`.
 * - A change by a cookie from another origin: `cross_origin`, even if anybody may call.
 *
 * @throws Problem
 */
export function assertMayEnter(principal: Principal | null, entry: Entry): void {
  if (principal?.isSession === true) assertSameOrigin(entry);
  if (entry.access === 'anybody') return;
  if (principal === null) throw new Problem('unauthorized', 'give a valid key: Authorization: Bearer <key>');
  if (entry.access === 'admin') {
    if (principal.project !== null) throw new Problem('not_found', 'there is no such resource');
    return;
  }
  const isOperator = principal.project === null;
  if (!isOperator && entry.project !== null && entry.project !== principal.project) {
    throw new Problem('not_found', 'there is no such project');
  }
  if (principal.portal !== undefined) assertRole(principal.portal, entry.portal);
  else if (!isOperator && !hasScope(principal, entry.access)) {
    throw new Problem('forbidden', `this needs a key with the scope ${entry.access}`);
  }
}

const hasScope = ({ scopes }: Principal, scope: Scope): boolean =>
  scopes.has(scope) || (scope === 'read' && scopes.has('manage'));

/** A session of the portal has no scope: only a route that names a role is open to it. */
function assertRole(has: PortalRole, needs: PortalRole | undefined): void {
  if (needs === 'viewer' || needs === has) return;
  throw new Problem(
    'forbidden',
    needs === undefined ? 'this is not part of the portal' : `this needs the role ${needs} in the portal`,
  );
}

/** Sec-Fetch-Site, which no page can set; else Origin. A request without both comes from no browser of today. */
function assertSameOrigin({ method, headers, origin }: Entry): void {
  if (method === 'GET' || method === 'HEAD') return;
  const site = headers.get('sec-fetch-site');
  const isSame = site === null ? headers.get('origin') === origin() : site === 'same-origin';
  if (!isSame) {
    throw new Problem('cross_origin', 'a change with a session must come from the pages of this service');
  }
}
