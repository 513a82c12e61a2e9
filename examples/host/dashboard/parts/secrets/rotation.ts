/** The state of a rotation of secrets, by the audit log: the secrets themselves need not be shown for that. Pure. */
import type { Output } from '../../data/index.js';

type Entry = Pick<Output<'listAudit'>['items'][number], 'action' | 'at' | 'after' | 'before'>;

export interface Rotation {
  /** When the new secret was made. */
  readonly at: string;
  /** Until when the secrets before it sign, too. */
  readonly until: string;
}

/**
 * The rotation that is under way; null if one secret signs alone.
 *
 * @param entries - The entries of the channel, newest first.
 * @param now - Unix milliseconds.
 */
export function rotationOf(entries: readonly Entry[], now: number): Rotation | null {
  const last = entries.findIndex(({ action }) => action === 'secret.rotated');
  const entry = entries[last];
  if (entry === undefined) return null;
  const { others_expire_at: until } = Object(entry.after) as { readonly others_expire_at?: unknown };
  if (typeof until !== 'string' || Date.parse(until) <= now) return null;
  const isEnded = entries.slice(0, last).some(({ action }) => action === 'secret.removed');
  return isEnded ? null : { at: entry.at, until };
}
