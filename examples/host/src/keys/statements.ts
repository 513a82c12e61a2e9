/** The statements of keys, sessions and sign-in links. */
import { hasProject } from '../db/index.js';

/** A row of `api_keys`. */
export interface KeyRow {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly last_four: string;
  /** JSON array. */
  readonly scopes: string;
  readonly created_at: number;
  readonly created_by: string;
  readonly created_by_name: string | null;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

/** A key or a session, as authentication reads it. */
export interface CredentialRow {
  /** The id of the key; null for a session by a one-time link. */
  readonly key_id: string | null;
  readonly project_id: string;
  /** JSON array. */
  readonly scopes: string;
  /** Null for a key. */
  readonly expires_at: number | null;
  /** `viewer` or `owner` for a session of the portal; null for all others. */
  readonly role: string | null;
  /** The id of the link that a session of the portal was begun with. */
  readonly link_id: string | null;
}

/** A link that was used. */
export type LinkRow = Pick<CredentialRow, 'key_id' | 'project_id' | 'role' | 'link_id'>;

/** The actor of a key, and of its sessions, ends with its id. */
const KEY = `select k.id, k.project_id, k.name, k.last_four, k.scopes, k.created_at, k.created_by, k.last_used_at, k.revoked_at,
  maker.name as created_by_name from api_keys k left join api_keys maker on maker.project_id = k.project_id
    and maker.id = substr(k.created_by, length(k.created_by) - 35)`;

export const SELECT_KEY = `${KEY} where k.project_id = $1 and k.id = $2`;
/** Newest first, after a cursor. */
export const SELECT_KEYS = `${KEY} where k.project_id = $1 and k.id < $2 order by k.id desc limit $3`;
/** Changes nothing where the key is revoked already. */
export const REVOKE_KEY =
  'update api_keys set revoked_at = $3 where project_id = $1 and id = $2 and revoked_at is null';
export const DELETE_SESSIONS_OF_KEY = 'delete from sessions where key_id = $1';

export const FIND_KEY = `select id as key_id, project_id, scopes, null as expires_at, null as role, null as link_id from api_keys
  where hash = $1 and revoked_at is null and ${hasProject('api_keys.project_id')}`;
/** A session ends with the key that it was begun with. */
export const FIND_SESSION = `select s.key_id, s.project_id, s.scopes, s.expires_at, s.role, s.link_id from sessions s
  left join api_keys k on k.id = s.key_id
  where s.hash = $1 and (s.key_id is null or (k.id is not null and k.revoked_at is null))
    and ${hasProject('s.project_id')}`;

export const DELETE_SESSION = 'delete from sessions where hash = $1';
export const DELETE_SESSIONS = 'delete from sessions where project_id = $1';
export const VOID_LINKS = 'update sign_in_links set used_at = $2 where project_id = $1 and used_at is null';
const WHERE_USABLE = `hash = $1 and used_at is null and expires_at > $2
  and not exists (select 1 from api_keys k where k.id = sign_in_links.key_id and k.revoked_at is not null)
  and ${hasProject('sign_in_links.project_id')}`;
const USE = 'update sign_in_links set used_at = $2 where';
const USED = 'returning key_id, project_id, role, id as link_id';
/** Uses a link, once among all who try, unless the key that made it was revoked. */
export const USE_LINK = `${USE} role is null and ${WHERE_USABLE} ${USED}`;
export const USE_PORTAL_LINK = `${USE} role is not null and ${WHERE_USABLE} ${USED}`;

/** Keys are used by several processes at once; the latest use counts. */
export const TOUCH_KEYS = `update api_keys set last_used_at = rows.at from {rows $1: id text, at int}
  where api_keys.id = rows.id and coalesce(api_keys.last_used_at, 0) < rows.at`;
