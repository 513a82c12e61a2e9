/** How far a search of payloads is: its words, and about how many events it has to look at. Pure. */
import type { Input, Output } from '../../data/index.js';
import { rangeOf } from '../../parts/time-range.js';
import { count, counted } from '../../words/numbers.js';
import type { Condition, Filter } from './filter.js';

export type Period = NonNullable<NonNullable<Input<'eventSeries'>['query']>['period']>;

const HOUR_MS = 3_600_000;
/** The hours that are counted, fewest first. */
const PERIODS: readonly (readonly [period: Period, hours: number])[] = [
  ['hour', 1],
  ['day', 24],
  ['week', 168],
  ['month', 720],
];
/** Conditions whose events are counted. */
const COUNTED: readonly Condition[] = ['match', 'since', 'from', 'to', 'status'];

/** The events that a search looks at, as far as they are counted. */
export interface Extent {
  readonly period: Period;
  /** Unix ms. */
  readonly from: number;
  /** Unix ms; infinite for a search up to now. */
  readonly to: number;
  readonly status: string | undefined;
}

/**
 * @param retentionDays - How long events are kept.
 * @returns Null if nobody counts the events of the filter.
 */
export function extentOf(filter: Filter, retentionDays: number, now: number): Extent | null {
  const names = Object.keys(filter) as Condition[];
  if (!names.every((name) => COUNTED.includes(name)) || filter.status === 'received') return null;
  const range = rangeOf(filter, now);
  const from = Math.max(now - retentionDays * 24 * HOUR_MS, Date.parse(range.from ?? '') || 0);
  const to = Date.parse(range.to ?? '') || Infinity;
  const period = PERIODS.find(([, hours]) => now - from <= hours * HOUR_MS)?.[0];
  return period === undefined ? null : { period, from, to, status: filter.status };
}

type Series = Pick<Output<'eventSeries'>, 'series' | 'bucket_seconds'>;

/** About how many events there are: spans count that are partly in the extent. */
export function eventsIn({ series, bucket_seconds: seconds }: Series, { from, to, status }: Extent): number {
  return series
    .filter(({ at }) => Date.parse(at) + seconds * 1_000 > from && Date.parse(at) < to)
    .map(({ processed, dropped }) =>
      status === undefined ? processed + dropped : status === 'dropped' ? dropped : processed,
    )
    .reduce((sum, events) => sum + events, 0);
}

const rounded = (events: number): number => Number(events.toPrecision(2));

/**
 * Such as `Searched 12,400 of about 100,000 events`.
 *
 * @param about - Null if nobody knows. It is left out once the search has looked at more.
 */
export function searchedText(scanned: number, about: number | null): string {
  const all = rounded(about ?? 0);
  return all > scanned
    ? `Searched ${count(scanned)} of about ${counted(all, 'event')}`
    : `Searched ${counted(scanned, 'event')}`;
}
