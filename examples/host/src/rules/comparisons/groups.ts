/** Compares two decisions of one event. Pure. */
import { diffJson, type JsonChange } from 'headgate';
import type { ComparisonGroup } from './routes.js';

/** A decision as it is compared. */
export interface ComparedDecision {
  readonly outcome: 'deliver' | 'drop';
  readonly droppedBy: string | null;
  readonly tags: readonly string[];
  /** The endpoints that rules name; null for every subscribed endpoint. */
  readonly endpointIds: readonly string[] | null;
  /** JSON text of `data` as it is delivered. */
  readonly data: string;
}

/** The groups of an event, and what differs in its data. */
export interface Compared {
  readonly groups: readonly ComparisonGroup[];
  readonly changes: readonly JsonChange[];
}

const NONE: readonly JsonChange[] = [];

export function compared(then: ComparedDecision, now: ComparedDecision): Compared {
  if (then.outcome !== now.outcome) {
    return { groups: [now.outcome === 'drop' ? 'would_be_dropped' : 'would_be_delivered'], changes: NONE };
  }
  if (now.outcome === 'drop') return { groups: ['same'], changes: NONE };
  const changes = then.data === now.data ? NONE : diffJson(JSON.parse(then.data), JSON.parse(now.data));
  const groups: ComparisonGroup[] = [];
  if (setOf(then.endpointIds) !== setOf(now.endpointIds)) groups.push('other_endpoints');
  if (changes.length > 0) groups.push('other_data');
  if (setOf(then.tags) !== setOf(now.tags)) groups.push('other_tags');
  return { groups: groups.length === 0 ? ['same'] : groups, changes };
}

const setOf = (texts: readonly string[] | null): string =>
  texts === null ? '' : JSON.stringify([...new Set(texts)].sort());
