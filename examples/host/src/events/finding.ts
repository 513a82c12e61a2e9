/**
 * Finds the events that match a filter, in the order of their ids. It reads a bounded number of rows, however
 * conditions are combined and however many events match each of them alone.
 */
import type { Queries } from '../db/index.js';
import { timeOfEventId } from '../ids.js';
import {
  BUCKET_LENGTH,
  BUCKET_MS,
  endOfBucket,
  eventIdsOf,
  ID_LENGTH,
  type Posting,
  startOfBucket,
} from '../stored/postings.js';
import type { EventQuery, IdRange } from './filter.js';
import { DIRECTIONS, type Direction } from './direction.js';
import { outcomeOf, sentOf, type Trouble, TROUBLES } from './outcome.js';
import {
  type FactEnds,
  type FactSample,
  SELECT_ENDS,
  SELECT_SAMPLES,
  SELECT_SENT,
  SELECT_UNDECIDED_BOUND,
  selectUndecided,
  selectWithFacts,
  type SentRow,
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
  /** Most undecided events, and most look-ups of facts and outcomes. */
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
  const { project, range, most, facts, undecided, outcome, first = 'newest' } = search;
  if (range.low >= range.high) return NOTHING;
  if (facts?.length === 0 && outcome === null) {
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

/**
 * Reads the rarest fact in the range in which all have events, or the deliveries in trouble if these are rarer, and
 * looks up the rest for each of its events.
 */
async function findDecided(
  queries: Pick<Queries, 'all'>,
  search: Search,
  facts: readonly string[],
): Promise<Found> {
  const { project, range, outcome, first = 'newest' } = search;
  const trouble = outcome !== null && outcome in TROUBLES ? (outcome as Trouble) : null;
  const [only, ...more] = facts;
  if (only === undefined) {
    return scan(queries, search, trouble === null ? ofAll(first) : ofTrouble(first, trouble), []);
  }
  if (more.length === 0 && trouble === null) return scan(queries, search, ofFact(first, only), []);
  const ofFacts = (low: string, high: string): readonly string[] => [
    ...[project, low, endOfBucket(high), JSON.stringify(facts.map((fact) => ({ fact })))],
  ];
  const ends = await queries.all<FactEnds>(SELECT_ENDS, ofFacts(range.low, range.high));
  const newest = ends.map((one) => one.newest ?? '').reduce(lower);
  const oldest = ends.map((one) => startOfBucket(one.oldest ?? '')).reduce(higher);
  if (newest < oldest) return NOTHING;
  const [low, high] = [higher(range.low, oldest), lower(range.high, endOfBucket(newest))];
  const samples = await queries.all<FactSample>(SELECT_SAMPLES, [...ofFacts(low, high), FIRST_ROWS]);
  const densityOf = (events: number, end: string | null): number =>
    events / (timeOfEventId(newest) - timeOfEventId(end ?? oldest) + BUCKET_MS);
  const [rarest, ...others] = samples
    .map(({ fact, units, next }) => ({ fact, density: densityOf((units ?? 0) / ID_UNITS, next) }))
    .sort((a, b) => a.density - b.density);
  const within = { ...search, range: { low, high } };
  if (trouble !== null) {
    const { ids, last } = await ofTrouble('newest', trouble)(queries, project, { low, high }, FIRST_ROWS);
    if (densityOf(ids.length, last) <= (rarest?.density ?? 0)) {
      return scan(queries, within, ofTrouble(first, trouble), facts);
    }
  }
  return scan(
    queries,
    within,
    ofFact(first, rarest?.fact ?? ''),
    others.map(({ fact }) => fact),
  );
}

/** Characters that an event takes in a row of a fact, about. */
const ID_UNITS = ID_LENGTH - BUCKET_LENGTH + 1;

/** Events in the direction of the search, of which some match: the next ones of a range. */
type Source = (
  queries: Pick<Queries, 'all'>,
  project: string,
  range: IdRange,
  mostRows: number,
) => Promise<{
  readonly ids: readonly string[];
  /** The bound of what was read; null if that is all of the range. */
  readonly last: string | null;
}>;

/** Events that have a fact. */
const ofFact =
  (first: Direction, fact: string): Source =>
  async (queries, project, { low, high }, mostRows) => {
    const { postings, ordered, beyondBucket } = DIRECTIONS[first];
    const values = [project, low, endOfBucket(high), fact, mostRows - 1];
    const rows = await queries.all<Posting>(postings, values);
    const last = rows.length < mostRows ? undefined : rows.at(-1);
    return {
      ids: ordered(rows.flatMap(eventIdsOf).filter((id) => id >= low && id < high)),
      last: last === undefined ? null : beyondBucket(last.newest_id),
    };
  };

/** All events. */
const ofAll =
  (first: Direction): Source =>
  async (queries, project, { low, high }, mostRows) => {
    const rows = await queries.all<IdRow>(DIRECTIONS[first].ids, [project, low, high, mostRows]);
    return pageOf(first, rows, mostRows);
  };

/** Events with a delivery in trouble, be it the newest of its endpoint or not. */
const ofTrouble =
  (first: Direction, trouble: Trouble): Source =>
  async (queries, project, { low, high }, mostRows) => {
    const values = [project, low, high, mostRows];
    const rows = await queries.all<IdRow>(DIRECTIONS[first].troubled(trouble), values);
    return pageOf(first, rows, mostRows);
  };

function pageOf(first: Direction, rows: readonly IdRow[], mostRows: number): Awaited<ReturnType<Source>> {
  const ids = [...new Set(rows.map(({ id }) => id.slice(0, ID_LENGTH)))];
  const last = rows.length < mostRows ? undefined : ids.at(-1);
  return { ids, last: last === undefined ? null : DIRECTIONS[first].beyond(last) };
}

/** Events whose outcomes are looked up at a time: few, since each has up to a hundred deliveries. */
const JUDGED = 200;
/** A look-up of an outcome counts as this many of facts, and as one more for each ten deliveries. */
const LOOKUPS_EACH = 4;
const SENT_PER_LOOKUP = 10;

/**
 * Events of a source that match the rest: twice as many rows are read each time, as long as too few are found. What
 * costs is look-ups: the more conditions, the fewer events.
 */
async function scan(
  queries: Pick<Queries, 'all'>,
  { project, range, most, maxScanned, outcome, first = 'newest' }: Search,
  source: Source,
  facts: readonly string[],
): Promise<Found> {
  const { beyond, rest } = DIRECTIONS[first];
  const ids: string[] = [];
  const atOnce = outcome === null ? Infinity : JUDGED;
  let left = Math.ceil(maxScanned / Math.max(1, facts.length + (outcome === null ? 0 : LOOKUPS_EACH)));
  let { low, high } = range;
  for (let mostRows = Math.min(FIRST_ROWS, maxScanned); ;) {
    const read = await source(queries, project, { low, high }, mostRows);
    const taken = read.ids.slice(0, Math.min(left, atOnce));
    left -= taken.length;
    const having = await withFacts(queries, project, taken, facts);
    const judged = await withOutcome(queries, having, outcome);
    ids.push(...judged.ids);
    left = Math.max(0, left - Math.floor(judged.sent / SENT_PER_LOOKUP));
    const isCut = taken.length < read.ids.length;
    const bound = isCut ? beyond(taken.at(-1) ?? '') : read.last;
    if (bound === null) return { ids, bound };
    ({ low, high } = rest({ low, high }, bound));
    if (low >= high) return { ids, bound: null };
    if (ids.length >= most || left === 0) return { ids, bound };
    if (!isCut) mostRows *= 2;
  }
}

/**
 * Keeps the events that have an outcome, in their order; `sent` counts the deliveries that were read. Their status is
 * not looked up: where an outcome needs one, a fact says it, and an event that is gone is not shown.
 */
async function withOutcome(
  queries: Pick<Queries, 'all'>,
  ids: readonly string[],
  outcome: EventQuery['outcome'],
): Promise<{ readonly ids: readonly string[]; readonly sent: number }> {
  if (outcome === null || ids.length === 0) return { ids, sent: 0 };
  const rows = await queries.all<SentRow>(SELECT_SENT, [JSON.stringify(ids.map((id) => ({ id })))]);
  const status = outcome === 'dropped' ? 'dropped' : 'processed';
  let sent = 0;
  const found = new Set<string>();
  for (const { id, deliveries } of rows) {
    const newest = sentOf(deliveries);
    sent += newest.length;
    if (outcomeOf(status, newest) === outcome) found.add(id);
  }
  return { ids: ids.filter((id) => found.has(id)), sent };
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
