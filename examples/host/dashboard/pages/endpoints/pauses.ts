/** The times in which an endpoint was paused, as the audit log has them. Pure. */
import type { Output } from '../../data/index.js';

type Entry = Pick<Output<'listAudit'>['items'][number], 'action' | 'at'>;

/** A time in which an endpoint was paused; `to` is null while it is. */
export interface Pause {
  readonly from: string;
  readonly to: string | null;
}

/** The pauses of an endpoint, newest first. @param entries - Newest first, as the API gives them. */
export function pausesOf(entries: readonly Entry[]): readonly Pause[] {
  const pauses: Pause[] = [];
  let to: string | null = null;
  for (const { action, at } of entries) {
    if (action === 'endpoint.resumed') to = at;
    if (action !== 'endpoint.paused') continue;
    pauses.push({ from: at, to });
    to = null;
  }
  return pauses;
}
