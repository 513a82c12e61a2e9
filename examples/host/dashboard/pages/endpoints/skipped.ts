/** Events that skipped an endpoint while it was paused: found by the audit log, and sent to it after all. */
import { api, type Output } from '../../data/index.js';

type Entry = Pick<Output<'listAudit'>['items'][number], 'action' | 'at'>;
type Item = Output<'listEvents'>['items'][number];

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

/** Most events that are looked at: each is a request. */
const MOST_LOOKED_AT = 400;

export interface Found {
  readonly events: readonly string[];
  readonly lookedAt: number;
  /** There were more than are looked at at once. */
  readonly hasMore: boolean;
}

interface Search {
  readonly project: string;
  readonly endpoint: string;
  readonly pause: Pause;
  readonly signal: AbortSignal;
  readonly onProgress: (lookedAt: number) => void;
}

/** The events that would have been delivered to it: no rule dropped them, none sent them to others alone. */
export async function findSkipped({ project, endpoint, pause, signal, onProgress }: Search): Promise<Found> {
  const events: string[] = [];
  let lookedAt = 0;
  let cursor: string | null = null;
  do {
    const page: Output<'listEvents'> = await api.listEvents({
      project,
      query: {
        status: 'processed',
        from: pause.from,
        ...(pause.to !== null && { to: pause.to }),
        ...(cursor !== null && { cursor }),
        limit: 100,
      },
      signal,
    });
    for (const item of page.items) {
      if (lookedAt === MOST_LOOKED_AT) return { events, lookedAt, hasMore: true };
      if (await wasSkipped(project, endpoint, item, signal)) events.push(item.id);
      onProgress(++lookedAt);
    }
    cursor = page.next;
  } while (cursor !== null);
  return { events, lookedAt, hasMore: false };
}

async function wasSkipped(
  project: string,
  endpoint: string,
  { id }: Item,
  signal: AbortSignal,
): Promise<boolean> {
  const { decision, deliveries } = await api.getEvent({ project, event: id, signal });
  const isMeant = decision !== null && (decision.endpoint_ids?.includes(endpoint) ?? true);
  return isMeant && !deliveries.some((delivery) => delivery.endpoint_id === endpoint);
}
