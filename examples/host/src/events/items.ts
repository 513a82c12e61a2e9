/** Events as lists and the tail show them. */
import { iso } from '../api/shapes.js';
import type { Queries } from '../db/index.js';
import type { EventItem } from './routes.js';
import { type ItemRow, SELECT_ITEMS } from './statements.js';

/** The JSON of `events.decision`. */
export interface StoredDecision {
  readonly matched: readonly { readonly id: string; readonly name: string; readonly action: string }[];
  readonly endpoint_ids: readonly string[] | null;
  readonly limits: readonly unknown[];
}

/** An item, and the endpoints of its deliveries. */
export interface FoundItem {
  readonly item: EventItem;
  readonly endpoints: ReadonlySet<string>;
}

/** The events with these ids, in the order of the ids. Those that are gone are left out. */
export async function itemsOf(
  queries: Queries,
  project: string,
  ids: readonly string[],
): Promise<readonly FoundItem[]> {
  if (ids.length === 0) return [];
  const rows = await queries.all<ItemRow>(SELECT_ITEMS, [project, JSON.stringify(ids)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [itemOf(row)];
  });
}

function itemOf(row: ItemRow): FoundItem {
  const decision = row.decision === null ? null : (JSON.parse(row.decision) as StoredDecision);
  const matched = decision?.matched ?? [];
  const deliveries = (row.deliveries ?? '').split(',').filter((one) => one !== '');
  const pairs = deliveries.map((one) => one.split(' ') as [endpoint: string, state: string]);
  const item: EventItem = {
    id: row.id,
    type: row.type,
    channel: row.channel_id === null ? null : { id: row.channel_id, name: row.channel_name },
    received_at: iso(row.received_at),
    status: row.status,
    tags: row.tags === null ? [] : (JSON.parse(row.tags) as string[]),
    dropped_by: droppedBy(row.dropped_by, matched),
    matched: matched.map(({ id, name }) => ({ id, name })),
    deliveries: countsOf(pairs.map(([, state]) => state)),
  };
  return { item, endpoints: new Set(pairs.map(([endpoint]) => endpoint)) };
}

/** The rule that dropped an event, with the name that the decision has recorded. */
export const droppedBy = (
  rule: string | null,
  matched: StoredDecision['matched'],
): { readonly id: string; readonly name: string | null } | null =>
  rule === null ? null : { id: rule, name: matched.find(({ id }) => id === rule)?.name ?? null };

/** A delivery that is being tried is pending still. */
function countsOf(states: readonly string[]): EventItem['deliveries'] {
  const count = (...wanted: readonly string[]): number =>
    states.filter((state) => wanted.includes(state)).length;
  return {
    pending: count('pending', 'leased'),
    delivered: count('delivered'),
    failed: count('failed'),
  };
}
