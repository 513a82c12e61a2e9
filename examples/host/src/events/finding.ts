/**
 * Finds the events that match a filter, in the order of their ids. It reads a bounded number of rows, however
 * conditions are combined and however many events match each of them alone.
 */
import type { Queries } from '../db/index.js';
import { timeOfEventId } from '../ids.js';
import { BUCKET_MS, endOfBucket, eventIdsOf, type Posting, startOfBucket } from '../stored/postings.js';
import type { EventQuery, IdRange } from './filter.js';
import { DIRECTIONS, type Direction } from './direction.js';
import {
  type FactEnds,
  type FactSample,
  SELECT_ENDS,
  SELECT_SAMPLES,
  SELECT_UNDECIDED_BOUND,
  selectUndecided,
  selectWithFacts,
} from './statements.js';

/** The events that were found. */
export interface Found {
  /** In the direction of the search. */
  readonly ids: readonly string[];
  /** The end of the part that was searched, at which another search continues; null if the whole range was searched. */
  readonly bound: string | null;
}

/** A query within a range of one project, with its limits. */
export interface Search extends EventQuery {
  readonly project: string;
  readonly range: IdRange;
  /** @defaultValue `newest` */
  readonly first?: Direction;
  /** Most ids. */
  readonly most: number;
  /** Most undecided events, and most look-ups of facts. */
  readonly maxScanned: number;
}

/** Rows of the rarest fact that are read first: few, since each may have fifty events, and a page has fifty. */
const FIRST_ROWS = 100;

const NOTHING: Found = { ids: [], bound: null };

/**
 * The first events of a range that match a filter.
 *
 * @param search - Undecided events are found newest first alone.
 */
export async function findEvents(queries: Pick<Queries, 'all' | 'get'>, search: Search): Promise<Found> {
  const { project, range, most, facts, undecided, first = 'newest' } = search;
  if (range.low >= range.high) return NOTHING;
  if (facts?.length === 0) {
    const rows = await queries.all<IdRow>(DIRECTIONS[first].ids, [project, range.low, range.high, most]);
    return { ids: rows.map(({ id }) => id), bound: null };
  }
  // Undecided events first: one that is decided in between is then found twice, and not missed.
  const waiting = undecided === null ? NOTHING : await findUndecided(queries, search, undecided);
  const decided = facts === null ? NOTHING : await findDecided(queries, search, facts);
  if (first === 'oldest') return { ...decided, ids: [...new Set(decided.ids)].slice(0, most) };
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
  { type, topic, channel }: NonNullable<EventQuery['undecided']>,
): Promise<Found> {
  const bounding = await queries.get<IdRow>(SELECT_UNDECIDED_BOUND, [project, low, high, maxScanned - 1]);
  const bound = bounding?.id ?? null;
  const statement = selectUndecided([
    ...(type === null ? [] : (['type'] as const)),
    ...(topic === null ? [] : (['coalesce(topic, type)'] as const)),
    ...(channel === null ? [] : (['channel_id'] as const)),
  ]);
  const values = [project, bound ?? low, high, most, ...[type, topic, channel].filter((one) => one !== null)];
  const rows = await queries.all<IdRow>(statement, values);
  return { ids: rows.map(({ id }) => id), bound };
}

/** Reads the rarest fact in the range in which all have events, and looks up the others for each of its events. */
async function findDecided(
  queries: Pick<Queries, 'all'>,
  { project, range, most, maxScanned, first = 'newest' }: Search,
  facts: readonly string[],
): Promise<Found> {
  const [only, ...more] = facts;
  if (only !== undefined && more.length === 0) {
    return scan(queries, { project, range, most, maxScanned, first }, only, []);
  }
  const ofFacts = (low: string, high: string): readonly string[] => [
    ...[project, low, endOfBucket(high), JSON.stringify(facts.map((fact) => ({ fact })))],
  ];
  const ends = await queries.all<FactEnds>(SELECT_ENDS, ofFacts(range.low, range.high));
  const newest = ends.map((one) => one.newest ?? '').reduce(lower);
  const oldest = ends.map((one) => startOfBucket(one.oldest ?? '')).reduce(higher);
  if (newest < oldest) return NOTHING;
  const [low, high] = [higher(range.low, oldest), lower(range.high, endOfBucket(newest))];
  const samples = await queries.all<FactSample>(SELECT_SAMPLES, [...ofFacts(low, high), FIRST_ROWS]);
  const densityOf = ({ units, next }: FactSample): number =>
    (units ?? 0) / (timeOfEventId(newest) - timeOfEventId(next ?? oldest) + BUCKET_MS);
  const [rarest, ...others] = [...samples]
    .sort((a, b) => densityOf(a) - densityOf(b))
    .map(({ fact }) => fact);
  // Look-ups are what costs: the more facts, the fewer events.
  const asked = {
    project,
    range: { low, high },
    most,
    maxScanned: Math.ceil(maxScanned / more.length),
    first,
  };
  return scan(queries, asked, rarest ?? '', others);
}

/** Events of a fact that have others too: twice as many rows are read each time, as long as too few are found. */
async function scan(
  queries: Pick<Queries, 'all'>,
  { project, range, most, maxScanned, first = 'newest' }: Omit<Search, keyof EventQuery>,
  fact: string,
  others: readonly string[],
): Promise<Found> {
  const { postings, ordered, beyond, beyondBucket, rest } = DIRECTIONS[first];
  const ids: string[] = [];
  let left = maxScanned;
  let { low, high } = range;
  for (let mostRows = Math.min(FIRST_ROWS, maxScanned); ; mostRows *= 2) {
    const values = [project, low, endOfBucket(high), fact, mostRows - 1];
    const rows = await queries.all<Posting>(postings, values);
    const candidates = ordered(rows.flatMap(eventIdsOf).filter((id) => id >= low && id < high));
    const taken = candidates.slice(0, left);
    left -= taken.length;
    ids.push(...(await withFacts(queries, project, taken, others)));
    const [last, lastRow] = [taken.at(-1), rows.length < mostRows ? undefined : rows.at(-1)];
    const lastOfRows = lastRow === undefined ? null : beyondBucket(lastRow.newest_id);
    const bound = taken.length < candidates.length && last !== undefined ? beyond(last) : lastOfRows;
    if (bound === null) return { ids, bound };
    ({ low, high } = rest({ low, high }, bound));
    if (low >= high) return { ids, bound: null };
    if (ids.length >= most || left === 0) return { ids, bound };
  }
}

/** Keeps the events that have all of the facts, in their order. */
async function withFacts(
  queries: Pick<Queries, 'all'>,
  project: string,
  ids: readonly string[],
  facts: readonly string[],
): Promise<readonly string[]> {
  if (facts.length === 0 || ids.length === 0) return ids;
  const asked = JSON.stringify(ids.map((id) => ({ id })));
  const rows = await queries.all<IdRow>(selectWithFacts(facts.length), [project, asked, ...facts]);
  const found = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => found.has(id));
}

const lower = (a: string, b: string): string => (a < b ? a : b);
const higher = (a: string, b: string): string => (a > b ? a : b);
