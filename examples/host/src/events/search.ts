/**
 * Search by a match tree: scans the events that a filter leaves, one after the other, within bounds, and says how far
 * it got.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { compileMatch, type Match, RuleError, stringifyJson } from 'headgate';
import type { Queries } from '../db/index.js';
import { Problem } from '../errors/problem.js';
import { asksForRawPayload, eventForRules, persistedOf, type PersistedRow } from '../stored/event-json.js';
import type { EventQuery, IdRange } from './filter.js';
import { type Direction, DIRECTIONS } from './direction.js';
import { findEvents } from './finding.js';
import { SELECT_PERSISTED, SELECT_SIZES, type SizeRow } from './statements.js';

/** A match tree, ready to use. */
export interface CompiledSearch {
  readonly matches: (event: unknown) => boolean;
  /** Whether it reads the request of an event. */
  readonly isOfRawPayload: boolean;
}

/**
 * Work that its patterns may do on one event, a fiftieth of the package's own: about 20 ms. A pattern that needs more
 * does not match.
 */
const PATTERN_BUDGET = 2_000_000;

/**
 * Reads a match tree.
 *
 * @throws Problem `invalid_rule` with every issue.
 */
export function compileSearch(match: unknown): CompiledSearch {
  try {
    const matches = compileMatch(match as Match, { patterns: { budget: PATTERN_BUDGET } });
    return { matches, isOfRawPayload: asksForRawPayload(stringifyJson(match)) };
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const issues = error.issues.map(({ code, pointer, message }) => {
      return { code, pointer: `/match${pointer}`, message };
    });
    throw new Problem('invalid_rule', `the match tree is not valid: ${issues[0]?.message ?? ''}`, { issues });
  }
}

/** A request to search. Structured clone copies it. */
export interface SearchRequest extends EventQuery {
  readonly project: string;
  readonly range: IdRange;
  /** @defaultValue `newest` */
  readonly first?: Direction;
  /** Most ids. */
  readonly most: number;
  readonly maxScanned: number;
  /** JSON text of the match tree, which may be deep. */
  readonly match: string;
}

/**
 * Runs a search.
 *
 * @throws Problem (as a rejection) `invalid_rule` with every issue.
 */
export type RunSearch = (request: SearchRequest, signal: AbortSignal) => Promise<Scanned>;

/** Searches in the thread that calls it. */
export const searchHere =
  (queries: Pick<Queries, 'all' | 'get'>, now: () => number): RunSearch =>
  async ({ match, ...request }, signal) =>
    scanEvents(queries, { ...request, ...compileSearch(JSON.parse(match)), now, signal });

/** A search with its match tree compiled, a clock, and a signal that ends it. */
export interface Scan extends Omit<SearchRequest, 'match'>, CompiledSearch {
  /** Unix ms. */
  readonly now: () => number;
  /** Ends the scan when it fires. */
  readonly signal: AbortSignal;
}

/** The result of a scan. */
export interface Scanned {
  /** In the direction of the search. */
  readonly ids: readonly string[];
  /** Events whose content was looked at. */
  readonly scanned: number;
  /** The end of the range that was looked at, where another search goes on; null: all of the range was. */
  readonly bound: string | null;
}

/** Events that are found at a time. */
const PAGE = 200;
const MAX_EVENTS = 5_000;
/** After this time the scan ends with the next event. */
const MAX_MS = 40;
/** Characters that are read and parsed before the event loop runs; one event may have more. */
const GROUP_LENGTH = 262_144;

/** Scans until it has found enough, is at the end, or meets a bound. */
export async function scanEvents(queries: Pick<Queries, 'all' | 'get'>, scan: Scan): Promise<Scanned> {
  const endsAt = scan.now() + MAX_MS;
  const { ordered, beyond, rest } = DIRECTIONS[scan.first ?? 'newest'];
  const ids: string[] = [];
  let scanned = 0;
  let { range } = scan;
  for (;;) {
    const found = await findEvents(queries, { ...scan, range, most: PAGE });
    for (const group of await groupsOf(queries, scan, found.ids)) {
      const rows = new Map((await rowsOf(queries, scan, group)).map((row) => [row.id, row]));
      for (const row of ordered([...rows.keys()]).flatMap((id) => rows.get(id) ?? [])) {
        scanned++;
        if (scan.matches(eventForRules(persistedOf(row)))) ids.push(row.id);
        const isOver = scanned >= MAX_EVENTS || scan.now() >= endsAt || scan.signal.aborted;
        if (ids.length === scan.most || isOver) return { ids, scanned, bound: beyond(row.id) };
      }
      await turn();
    }
    const last = found.ids.length === PAGE ? found.ids.at(-1) : undefined;
    const bound = last === undefined ? found.bound : beyond(last);
    if (bound === null) return { ids, scanned, bound };
    range = rest(range, bound);
    if (scan.now() >= endsAt || scan.signal.aborted) return { ids, scanned, bound };
  }
}

/** The ids in groups whose texts are not too long together. */
async function groupsOf(
  queries: Pick<Queries, 'all' | 'get'>,
  { project, isOfRawPayload }: Scan,
  ids: readonly string[],
): Promise<readonly (readonly string[])[]> {
  if (ids.length === 0) return [];
  const rows = await queries.all<SizeRow>(SELECT_SIZES, [project, JSON.stringify(ids)]);
  const sizes = new Map(rows.map(({ id, data, raw }) => [id, data + (isOfRawPayload ? raw : 0)]));
  const groups: string[][] = [];
  let room = 0;
  for (const id of ids) {
    const size = sizes.get(id) ?? 0;
    if (size > room) {
      groups.push([]);
      room = GROUP_LENGTH;
    }
    groups.at(-1)?.push(id);
    room -= size;
  }
  return groups;
}

const rowsOf = (
  queries: Pick<Queries, 'all' | 'get'>,
  { project, isOfRawPayload }: Scan,
  ids: readonly string[],
): Promise<readonly PersistedRow[]> =>
  queries.all<PersistedRow>(SELECT_PERSISTED, [project, JSON.stringify(ids), isOfRawPayload ? 1 : 0]);
