/** Counts the groups of a comparison, and keeps samples and the ids of all events that would be decided differently. */
import { type JsonChange, stringifyJson } from 'headgate';
import type { EventHead } from '../../stored/event-json.js';
import { compared, type ComparedDecision } from './groups.js';
import type { ComparisonGroup, ComparisonSample } from './routes.js';

/** The bit of each group in {@link GroupedIds}. */
const BITS = {
  same: 1,
  would_be_delivered: 2,
  would_be_dropped: 4,
  other_endpoints: 8,
  other_data: 16,
  other_tags: 32,
} as const satisfies Record<ComparisonGroup, number>;
const GROUPS = Object.keys(BITS) as readonly ComparisonGroup[];

/** The number of events in each group, and of those that were looked at. */
export type ComparisonProgress = Readonly<Record<ComparisonGroup | 'scanned', number>>;

/** Events of one page that would be decided differently, as a row has them. */
export interface GroupedIds {
  readonly newest_id: string;
  /** Oldest first, separated by blanks: the id and, as two hexadecimal digits, the bits of its groups. */
  readonly events: string;
}

const MOST_SAMPLES = 50;
/** UTF-16 units of the JSON of one diff, and of the samples of a group. */
const MOST_DIFF_UNITS = 16_384;
const MOST_UNITS = 349_525;
/** Events that are kept: no more can be replayed by one comparison. */
const MOST_KEPT = 1_000_000;

/** The counts of one comparison; mutable. */
export class Tally {
  readonly #groups = new Map(GROUPS.map((group) => [group, newGroup()]));
  readonly #kept: GroupedIds[] = [];
  #page: string[] = [];
  #keptEvents = 0;
  #scanned = 0;

  /** Events are taken newest first. */
  take(event: EventHead, then: ComparedDecision, now: ComparedDecision): void {
    const { groups, changes } = compared(then, now);
    this.#scanned++;
    for (const name of groups) {
      const group = this.#groups.get(name) ?? newGroup();
      group.events++;
      if (group.samples.length === MOST_SAMPLES || group.units === 0) continue;
      const diff = name === 'other_data' ? diffOf(changes) : {};
      const sample = { ...headOf(event), then: shown(then), now: shown(now), ...diff };
      const { length } = stringifyJson(sample);
      if (length <= group.units) group.samples.push(sample);
      group.units = Math.max(0, group.units - length);
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
    const counts = [...this.#groups].map(([name, { events }]) => [name, events]);
    return { scanned: this.#scanned, ...(Object.fromEntries(counts) as Record<ComparisonGroup, number>) };
  }

  kept(): readonly GroupedIds[] {
    return this.#kept;
  }

  /** JSON of the groups, whose samples may be deep. */
  groupsText(): string {
    const groups = [...this.#groups].map(([name, { events, samples }]) => [name, { events, samples }]);
    return stringifyJson(Object.fromEntries(groups));
  }
}

/** A group so far, and the units that more samples may have. */
const newGroup = (): { events: number; readonly samples: ComparisonSample[]; units: number } => ({
  ...{ events: 0, samples: [], units: MOST_UNITS },
});

function diffOf(changes: readonly JsonChange[]): Pick<ComparisonSample, 'diff' | 'diff_truncated'> {
  const diff: JsonChange[] = [];
  let left = MOST_DIFF_UNITS;
  for (const { path, before, after } of changes) {
    const change = { path, before, after };
    left -= path.length > left ? path.length : stringifyJson(change).length;
    if (left < 0) return { diff, diff_truncated: true };
    diff.push(change);
  }
  return { diff };
}

/** The events of a row that are in one of some groups. */
export function idsIn({ events }: GroupedIds, groups: readonly ComparisonGroup[]): readonly string[] {
  const wanted = bitsOf(groups);
  const parts = events.split(' ');
  return parts.filter((_, i) => i % 2 === 0 && (parseInt(parts[i + 1] ?? '0', 16) & wanted) !== 0);
}

const bitsOf = (groups: readonly ComparisonGroup[]): number =>
  groups.reduce((bits, group) => bits | BITS[group], 0);

const headOf = ({ id, type, topic, receivedAt }: EventHead) => ({
  id,
  type,
  topic,
  received_at: new Date(receivedAt).toISOString(),
});

const shown = ({ outcome, droppedBy, tags, endpointIds }: ComparedDecision): ComparisonSample['then'] => ({
  outcome,
  dropped_by: droppedBy,
  tags: [...tags],
  endpoint_ids: endpointIds === null ? null : [...endpointIds],
});
