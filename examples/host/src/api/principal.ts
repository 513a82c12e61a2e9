/** The authenticated caller of a request. */

/** Permissions of a key. */
export const SCOPES = ['ingest', 'receive', 'read', 'manage'] as const;
export type Scope = (typeof SCOPES)[number];

/** The roles in the portal; `owner` includes `viewer`. */
export const PORTAL_ROLES = ['viewer', 'owner'] as const;
export type PortalRole = (typeof PORTAL_ROLES)[number];

/** A key, a session or the operator. */
export interface Principal {
  /** Null for the operator of the service, who belongs to no project. */
  readonly project: string | null;
  readonly scopes: ReadonlySet<Scope>;
  /** For the audit log: `key:<id>`, `session:<key id or link>`, `portal:<link id>`, `admin`. */
  readonly actor: string;
  /** True for a cookie: changes then need the same origin. */
  readonly isSession: boolean;
  /** The role of a session of the portal, which has no scopes; undefined for all others. */
  readonly portal?: PortalRole;
}

/**
 * Finds out who makes a request, from its `Authorization` header or its cookie.
 *
 * @returns Null without credentials, and for those that are unknown, revoked or expired.
 */
export type Authenticate = (headers: Headers) => Promise<Principal | null>;
