/** The effect of an edit of a rule, in words. Pure. */
import type { Output } from '../../../data/index.js';
import { count, counted, listed } from '../../../words/numbers.js';

export type Comparison = Output<'createComparison'>;
type Group = Exclude<keyof Comparison['groups'], 'same'>;
type Decision = NonNullable<Output<'proveRule'>['before']>;

const TEXTS: Readonly<Record<Group, string>> = {
  would_be_dropped: 'more dropped',
  would_be_delivered: 'no longer dropped',
  other_endpoints: 'delivered to other endpoints',
  other_data: 'delivered with other data',
  other_tags: 'with other tags',
};
const GROUPS = Object.keys(TEXTS) as readonly Group[];

/** Such as `In the last 24 hours: 14 more dropped, and 3 delivered to other endpoints.` */
export function comparisonText({ groups, scanned, is_complete }: Comparison): string {
  const parts = GROUPS.filter((group) => groups[group].events > 0).map(
    (group) => `${count(groups[group].events)} ${TEXTS[group]}`,
  );
  const which = is_complete ? 'In the last 24 hours' : `Of the newest ${counted(scanned, 'event')}`;
  if (scanned === 0) return `${which}, no event was decided.`;
  if (parts.length === 0) {
    return `${which}, none of ${counted(scanned, 'event')} would be decided differently.`;
  }
  return `${which}, of ${counted(scanned, 'event')}: ${listed(parts)}.`;
}

/** The newest event that would be decided differently; null if there is none. */
export const newestChanged = ({
  groups,
}: Comparison): { readonly id: string; readonly topic: string } | null =>
  GROUPS.flatMap((group) => groups[group].samples)
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .at(0) ?? null;

/** Such as `dropped`, or `delivered with the tag large`. */
export function decisionText({ outcome, tags, endpoint_ids }: Decision): string {
  if (outcome === 'drop') return 'dropped';
  const parts = [
    ...(endpoint_ids === null ? [] : [`to ${counted(endpoint_ids.length, 'endpoint')} that rules name`]),
    ...(tags.length === 0 ? [] : [`with ${tags.length === 1 ? 'the tag' : 'the tags'} ${listed(tags)}`]),
  ];
  return ['delivered', ...parts].join(' ');
}
