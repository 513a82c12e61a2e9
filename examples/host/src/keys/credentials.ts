/** Finds out who makes a request. */
import type { Authenticate, PortalRole, Principal } from '../api/principal.js';
import { SCOPES, type Scope } from '../api/route.js';
import type { Database } from '../db/index.js';
import { createFreshCache } from '../caching/fresh-cache.js';
import { cookieFor, tokenIn } from './cookie.js';
import { equalSecrets, hashKey, kindOfKey, type KeyKind } from '../secrets/key-format.js';
import { type CredentialRow, FIND_KEY, FIND_SESSION, type LinkRow } from './statements.js';

/** Dependencies of the credentials. */
export interface CredentialParts {
  readonly db: Database;
  readonly now: () => number;
  /** The operator's key, from the environment; without one there is no operator. */
  readonly adminKey: string | null;
  /** The URL of the service, if its configuration names it, such as `https://hooks.example.com`. */
  readonly origin?: string;
  /** The URL at which callers reach the service. */
  readonly publicUrl: string;
}

/** Credentials as they are looked up. */
export interface Credentials {
  readonly authenticate: Authenticate;
  /** The valid key or session of a text; null for all others. */
  find(text: string, kind: KeyKind): Promise<CredentialRow | null>;
  /** Call after each change: it holds in this process at once, in others within a second. */
  clear(): void;
}

const STATEMENTS = { key: FIND_KEY, ses: FIND_SESSION } as const;

/** @param used - Called for each request with a valid key, with the key's id. */
export function createCredentials(
  { db, now, adminKey, origin }: CredentialParts,
  used: (keyId: string) => void,
): Credentials {
  const rows = createFreshCache({
    now,
    load: async (key: string) => {
      const [kind, hash] = key.split(':') as [keyof typeof STATEMENTS, string];
      return (await db.get<CredentialRow>(STATEMENTS[kind], [hash])) ?? null;
    },
  });
  const find: Credentials['find'] = async (text, kind) => {
    if (kindOfKey(text) !== kind) return null;
    const row = await rows.get(`${kind}:${hashKey(text)}`);
    return row !== null && (row.expires_at ?? Infinity) > now() ? row : null;
  };
  const byKey = async (text: string): Promise<Principal | null> => {
    if (adminKey !== null && equalSecrets(text, adminKey)) return OPERATOR;
    const row = await find(text, 'key');
    if (row === null) return null;
    const id = row.key_id ?? '';
    used(id);
    return principalOf(row, `key:${id}`, false);
  };
  const bySession = async (headers: Headers): Promise<Principal | null> => {
    if (!headers.has('cookie')) return null;
    const cookie = cookieFor(headers, origin);
    const row = await find(tokenIn(headers, cookie) ?? '', 'ses');
    // A token under the name of the other cookie is not a session.
    if (row === null || (row.role !== null) !== cookie.isPortal) return null;
    return principalOf(row, actorOfSession(row), true);
  };
  return {
    // A bearer key that is wrong is refused, whatever the cookie is. Other schemes may be those of a proxy.
    authenticate: (headers) => {
      const key = bearerIn(headers);
      return key === null ? bySession(headers) : byKey(key);
    },
    find,
    clear: () => rows.clear(),
  };
}

/** `session:` and the key that it was begun with, or `link`; `portal:` and its link. */
export const actorOfSession = ({ key_id, role, link_id }: Omit<LinkRow, 'project_id'>): string =>
  role === null ? `session:${key_id ?? 'link'}` : `portal:${link_id}`;

const OPERATOR: Principal = { project: null, scopes: new Set(SCOPES), actor: 'admin', isSession: false };

const principalOf = (row: CredentialRow, actor: string, isSession: boolean): Principal => ({
  project: row.project_id,
  scopes: new Set(JSON.parse(row.scopes) as Scope[]),
  actor,
  isSession,
  ...(row.role !== null && { portal: row.role as PortalRole }),
});

/** The key in `Authorization: Bearer`; null without one. */
function bearerIn(headers: Headers): string | null {
  const [, key] = /^Bearer +(.*)$/i.exec(headers.get('authorization') ?? '') ?? [];
  return key ?? null;
}
