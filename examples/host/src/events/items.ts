/** Events as lists and the tail show them. */
import { hasMore, PAGE_BYTES } from '../api/page.js';
import type { Principal } from '../api/principal.js';
import { iso } from '../api/shapes.js';
import type { Queries } from '../db/index.js';
import { firstRules, type StoredDecision } from '../stored/decision.js';
import { isPending, latestOf, outcomeOf, type Sent, sentOf } from './outcome.js';
import type { EventItem } from './routes.js';
import { type ItemRow, SELECT_ITEMS } from './statements.js';

/** Rules that matched which an item shows: the first, and the one that dropped the event. */
const MOST_MATCHED = 100;

/** An item, and all that it can be found by. */
export interface FoundItem {
  readonly item: EventItem;
  /** Ids of the rules that the decision has. */
  readonly rules: ReadonlySet<string>;
  /** Ids of the endpoints of its deliveries. */
  readonly endpoints: ReadonlySet<string>;
}

/** Events that were read together. */
export interface FoundItems {
  /** Newest first. */
  readonly found: readonly FoundItem[];
  /** Ids that were not read, since those before them have {@link PAGE_BYTES}. */
  readonly rest: readonly string[];
}

/**
 * The first of the events with these ids.
 *
 * @param ids - Newest first. Those that are gone are left out.
 */
export async function itemsOf(
  queries: Queries,
  project: string,
  ids: readonly string[],
): Promise<FoundItems> {
  if (ids.length === 0) return { found: [], rest: [] };
  const rows = await queries.all<ItemRow>(SELECT_ITEMS, [project, JSON.stringify(ids), PAGE_BYTES]);
  const last = rows.at(-1)?.id ?? '';
  return {
    found: rows.map(itemOf),
    rest: hasMore(rows, rows.length) ? ids.filter((id) => id < last) : [],
  };
}

function itemOf(row: ItemRow): FoundItem {
  const decision = row.decision === null ? null : (JSON.parse(row.decision) as StoredDecision);
  const { matched, matched_count = matched.length } = decision ?? UNDECIDED;
  const deliveries = sentOf(row.deliveries);
  const item: EventItem = {
    id: row.id,
    type: row.type,
    topic: row.topic ?? row.type,
    channel: row.channel_id === null ? null : { id: row.channel_id, name: row.channel_name },
    received_at: iso(row.received_at),
    status: row.status,
    tags: row.tags === null ? [] : (JSON.parse(row.tags) as string[]),
    dropped_by: droppedBy(row.dropped_by, matched),
    matched: firstRules(matched, MOST_MATCHED, row.dropped_by !== null).map(({ id, name }) => ({ id, name })),
    matched_count,
    deliveries: countsOf(latestOf(deliveries)),
    outcome: outcomeOf(row.status, deliveries),
  };
  return {
    item,
    rules: new Set(matched.map(({ id }) => id)),
    endpoints: new Set(deliveries.map(({ endpoint_id }) => endpoint_id)),
  };
}

/** Shows items to a caller: the portal does not see which rules matched. */
export const itemFor =
  ({ portal }: Pick<Principal, 'portal'>) =>
  (item: EventItem): EventItem =>
    portal === undefined ? item : { ...item, dropped_by: null, matched: [], matched_count: 0 };

const UNDECIDED: Pick<StoredDecision, 'matched' | 'matched_count'> = { matched: [] };

/** The rule that dropped an event, with the name that the decision has recorded. */
export const droppedBy = (
  rule: string | null,
  matched: StoredDecision['matched'],
): { readonly id: string; readonly name: string | null } | null =>
  rule === null ? null : { id: rule, name: matched.find(({ id }) => id === rule)?.name ?? null };

/** The endpoints by the state of their newest delivery. */
const countsOf = (latest: readonly Sent[]): EventItem['deliveries'] => ({
  pending: latest.filter(isPending).length,
  delivered: latest.filter(({ state }) => state === 'delivered').length,
  failed: latest.filter(({ state }) => state === 'failed').length,
});
