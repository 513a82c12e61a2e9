/** Links that begin one session: of the dashboard, or of the portal. */
import type { PortalRole } from '../api/principal.js';
import { iso } from '../api/shapes.js';
import { writeAudit } from '../audit/audit.js';
import type { Queries, Transaction } from '../db/index.js';
import { newId } from '../ids.js';
import { hashKey, newKey } from '../secrets/key-format.js';

const LINK_MS = 3_600_000;

/**
 * Makes a token that begins one session of a project, within an hour. Every process on the database takes it.
 *
 * @param at - Unix ms.
 */
export async function createSignInToken(db: Queries, project: string, at: number): Promise<string> {
  const token = newKey('once');
  const row = { hash: hashKey(token), project_id: project, expires_at: at + LINK_MS, used_at: null };
  await db.insert('sign_in_links', [row]);
  return token;
}

/** The settings of a new link into the portal, and its creator. */
export interface NewPortalLink {
  readonly project: string;
  readonly role: PortalRole;
  /** The person or the account that it is for; only the audit log has it. */
  readonly name: string | null;
  /** Seconds. */
  readonly expires_in: number;
  readonly actor: string;
}

/** A link into the portal, and the token of its address. */
export interface PortalLink {
  readonly id: string;
  readonly token: string;
  /** Unix ms. */
  readonly expiresAt: number;
}

/** Makes a link that begins one session of the portal. It is over when the key that has made it is revoked. */
export async function createPortalLink(
  tx: Transaction,
  { project, role, name, expires_in, actor }: NewPortalLink,
  at: number,
): Promise<PortalLink> {
  const [id, token, expires_at] = [newId(at), newKey('once'), at + expires_in * 1_000];
  const [, key_id = null] = /^(?:key|session):([\da-f-]{36})$/.exec(actor) ?? [];
  const row = { hash: hashKey(token), project_id: project, expires_at, used_at: null };
  await tx.insert('sign_in_links', [{ ...row, id, role, key_id }]);
  const entry = { project, actor, action: 'portal_link.created', resource: `portal_link:${id}` };
  await writeAudit(tx, at, { ...entry, after: { role, name, expires_at: iso(expires_at) } });
  return { id, token, expiresAt: expires_at };
}
