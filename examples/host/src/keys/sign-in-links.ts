/** Links that begin one session. */
import type { Queries } from '../db/index.js';
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
