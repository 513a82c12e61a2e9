/**
 * Finds the events that fulfil a filter, newest first, within a bounded number of rows: whatever conditions are combined, and
 * however many events fulfil each of them alone.
 */
import type { Queries } from '../db/index.js';
import type { EventQuery, IdRange } from './filter.js';
import {
  type FactPlace,
  SELECT_IDS,
  SELECT_PLACES,
  SELECT_UNDECIDED_BOUND,
  selectDecided,
  selectUndecided,
} from './statements.js';

/** The events that were found. */
export interface Found {
  /** Newest first. */
  readonly ids: readonly string[];
  /** All ids from here on were looked at; null: all of the range. */
  readonly bound: string | null;
}

/** A query within a range of one project, with its limits. */
export interface Search extends EventQuery {
  readonly project: string;
  readonly range: IdRange;
  /** Most ids. */
  readonly most: number;
  /** Most rows of an index that are looked at. */
  readonly maxScanned: number;
}

const NOTHING: Found = { ids: [], bound: null };

/** The newest events of a range that fulfil a filter. */
export async function findEvents(queries: Pick<Queries, 'all' | 'get'>, search: Search): Promise<Found> {
  const { project, range, most, facts, undecided } = search;
  if (range.low >= range.high) return NOTHING;
  if (facts?.length === 0) {
    const rows = await queries.all<IdRow>(SELECT_IDS, [project, range.low, range.high, most]);
    return { ids: rows.map(({ id }) => id), bound: null };
  }
  // Undecided events first: one that is decided in between is then found twice, and not missed.
  const waiting = undecided === null ? NOTHING : await findUndecided(queries, search, undecided);
  const decided = facts === null ? NOTHING : await findDecided(queries, search, facts);
  return merged(waiting, decided, most);
}

interface IdRow {
  readonly id: string;
}

/** Both are complete down to the higher of their bounds. */
function merged(a: Found, b: Found, most: number): Found {
  const bound =
    [a.bound, b.bound]
      .filter((one) => one !== null)
      .sort()
      .at(-1) ?? null;
  const ids = [...new Set([...a.ids, ...b.ids])].sort().reverse();
  return { ids: ids.filter((id) => bound === null || id >= bound).slice(0, most), bound };
}

async function findUndecided(
  queries: Pick<Queries, 'all' | 'get'>,
  { project, range: { low, high }, most, maxScanned }: Search,
  { type, channel }: NonNullable<EventQuery['undecided']>,
): Promise<Found> {
  const bounding = await queries.get<IdRow>(SELECT_UNDECIDED_BOUND, [project, low, high, maxScanned - 1]);
  const bound = bounding?.id ?? null;
  const statement = selectUndecided([
    ...(type === null ? [] : (['type'] as const)),
    ...(channel === null ? [] : (['channel_id'] as const)),
  ]);
  const values = [project, bound ?? low, high, most, ...[type, channel].filter((one) => one !== null)];
  const rows = await queries.all<IdRow>(statement, values);
  return { ids: rows.map(({ id }) => id), bound };
}

/**
 * Reads the fact whose events are rarest here, and looks up the others for each of its events.
 *
 * The range shrinks to where all facts have events. How rare a fact is, is measured by how far back its next
 * `maxScanned` events reach; those of the rarest are what this page looks at.
 */
async function findDecided(
  queries: Pick<Queries, 'all' | 'get'>,
  { project, range: { low, high }, most, maxScanned }: Search,
  facts: readonly string[],
): Promise<Found> {
  // Look-ups are what costs: the more facts, the fewer rows.
  const rowsOfPage = Math.ceil(maxScanned / Math.max(1, facts.length - 1));
  const asked = JSON.stringify(facts.map((fact) => ({ fact })));
  const places = await queries.all<FactPlace>(SELECT_PLACES, [project, low, high, asked, rowsOfPage - 1]);
  const start = places.map(({ newest }) => newest ?? '').reduce(lower);
  const end = places.map(({ oldest }) => oldest ?? '~').reduce(higher);
  const [rarest, ...others] = [...places].sort((a, b) => ((a.bound ?? '') < (b.bound ?? '') ? -1 : 1));
  if (rarest === undefined || start < end) return NOTHING;
  const { bound } = rarest;
  const values = [project, rarest.fact, bound === null ? end : higher(bound, end), start, most];
  const rows = await queries.all<IdRow>(selectDecided(others.length), [
    ...values,
    ...others.map(({ fact }) => fact),
  ]);
  return { ids: rows.map(({ id }) => id), bound: bound === null || bound <= end ? null : bound };
}

const lower = (a: string, b: string): string => (a < b ? a : b);
const higher = (a: string, b: string): string => (a > b ? a : b);
