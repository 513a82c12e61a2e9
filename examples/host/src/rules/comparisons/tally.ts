/** Counts the groups of a comparison, and keeps samples and the ids of all events that would be decided differently. */
import { type JsonChange, stringifyJson } from 'headgate';
import { iso } from '../../api/shapes.js';
import type { EventHead } from '../../stored/event-json.js';
import { compared, type ComparedDecision } from './groups.js';
import { comparisonGroup, type ComparisonGroup, type ComparisonSample } from './routes.js';

/** All groups; the index of a group is its bit in {@link GroupedIds}. */
export const GROUPS: readonly ComparisonGroup[] = comparisonGroup.options;

/** The number of events in each group, and of those that were looked at. */
export type ComparisonProgress = Readonly<Record<ComparisonGroup | 'scanned', number>>;

/** Events of one page that would be decided differently, as a row has them. */
export interface GroupedIds {
  readonly newest_id: string;
  /** Oldest first, separated by blanks: the id and, as two hexadecimal digits, the bits of its groups. */
  readonly events: string;
}

const MOST_SAMPLES = 50;
/** UTF-16 units of the JSON of one diff, and of all samples that have one. */
const MOST_DIFF_UNITS = 16_384;
const MOST_UNITS = 1_048_576;
/** Events that are kept: no more can be replayed by one comparison. */
const MOST_KEPT = 1_000_000;

/** The counts of one comparison; mutable. */
export class Tally {
  readonly #events = new Map<ComparisonGroup, number>(GROUPS.map((group) => [group, 0]));
  readonly #samples = new Map<ComparisonGroup, ComparisonSample[]>(GROUPS.map((group) => [group, []]));
  readonly #kept: GroupedIds[] = [];
  #page: string[] = [];
  #keptEvents = 0;
  #units = MOST_UNITS;
  #scanned = 0;

  /** Events are taken newest first. */
  take(event: EventHead, then: ComparedDecision, now: ComparedDecision): void {
    const { groups, changes } = compared(then, now);
    this.#scanned++;
    for (const group of groups) {
      this.#events.set(group, (this.#events.get(group) ?? 0) + 1);
      const samples = this.#samples.get(group);
      if (samples !== undefined && samples.length < MOST_SAMPLES) {
        const diff = group === 'other_data' ? this.#diffOf(changes) : {};
        samples.push({ ...headOf(event), then: shown(then), now: shown(now), ...diff });
      }
    }
    if (groups[0] !== 'same' && this.#keptEvents < MOST_KEPT) {
      this.#keptEvents++;
      this.#page.push(`${event.id} ${bitsOf(groups).toString(16).padStart(2, '0')}`);
    }
  }

  /** Ends a page of events: those of it that are kept become one row. */
  endPage(): void {
    const newest = this.#page[0];
    if (newest !== undefined) {
      this.#kept.push({
        newest_id: newest.slice(0, newest.indexOf(' ')),
        events: this.#page.reverse().join(' '),
      });
    }
    this.#page = [];
  }

  progress(): ComparisonProgress {
    return {
      scanned: this.#scanned,
      ...(Object.fromEntries(this.#events) as Record<ComparisonGroup, number>),
    };
  }

  kept(): readonly GroupedIds[] {
    return this.#kept;
  }

  /** JSON of the groups, whose samples may be deep. */
  groupsText(): string {
    const groups = GROUPS.map((group) => [
      group,
      { events: this.#events.get(group), samples: this.#samples.get(group) },
    ]);
    return stringifyJson(Object.fromEntries(groups));
  }

  #diffOf(changes: readonly JsonChange[]): Pick<ComparisonSample, 'diff' | 'diff_truncated'> {
    const diff: { path: string; before: unknown; after: unknown }[] = [];
    let left = Math.min(MOST_DIFF_UNITS, this.#units);
    for (const { path, before, after } of changes) {
      const change = { path, before, after };
      left -= path.length > left ? path.length : stringifyJson(change).length;
      if (left < 0) return { diff, diff_truncated: true };
      this.#units -= stringifyJson(change).length;
      diff.push(change);
    }
    return { diff };
  }
}

/** The events of a row that are in one of some groups. */
export function idsIn({ events }: GroupedIds, groups: readonly ComparisonGroup[]): readonly string[] {
  const wanted = bitsOf(groups);
  const parts = events.split(' ');
  return parts.filter((_, i) => i % 2 === 0 && (parseInt(parts[i + 1] ?? '0', 16) & wanted) !== 0);
}

const bitsOf = (groups: readonly ComparisonGroup[]): number =>
  groups.reduce((bits, group) => bits | (1 << GROUPS.indexOf(group)), 0);

const headOf = ({ id, type, topic, receivedAt }: EventHead) => ({
  id,
  type,
  topic,
  received_at: iso(receivedAt),
});

const shown = ({ outcome, droppedBy, tags, endpointIds }: ComparedDecision): ComparisonSample['then'] => ({
  outcome,
  dropped_by: droppedBy,
  tags: [...tags],
  endpoint_ids: endpointIds === null ? null : [...endpointIds],
});
