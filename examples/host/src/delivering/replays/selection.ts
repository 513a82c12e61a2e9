/** The events of a replay of many: which of those that meet its filter are replayed, and which are skipped. */
import { coversTopic, type FanOutEndpoint } from 'headgate/delivery';
import type { Database } from '../../db/index.js';
import type { EventFilter } from '../../events/routes.js';
import { boundAfter } from '../../ids.js';
import type { ReplayedComparison, ReplayFilter } from './routes.js';
import {
  type CandidateRow,
  type MissedRow,
  SELECT_CANDIDATES,
  SELECT_DECIDED_ENDPOINTS,
  SELECT_MISSED,
} from './statements.js';
import type { AskedReplay } from './writing.js';

/** A replay of many events, as it is stored. */
export interface AskedReplays extends AskedReplay {
  readonly filter: ReplayFilter;
  /** Replaces the filter, which is empty then. */
  readonly comparison?: ReplayedComparison | undefined;
}

/** Selects events by a filter, oldest first, from a cursor on. */
export type SelectEvents = (
  selection: {
    readonly project: string;
    readonly filter: EventFilter;
    readonly match?: unknown;
    readonly cursor: string;
    readonly most: number;
  },
  signal: AbortSignal,
) => Promise<SelectedEvents>;

/** The comparisons, as replays of their groups use them. */
export interface ReplayedComparisons {
  /** Keeps a comparison at least until a time, Unix ms. Rejects with the problems `not_found` and `conflict`. */
  keep(project: string, id: string, until: number): Promise<void>;
  /** Selects events in some of its groups, oldest first, from a cursor on. */
  select(
    selection: ReplayedComparison & { readonly cursor: string; readonly most: number },
  ): Promise<SelectedEvents>;
}

interface SelectedEvents {
  readonly ids: readonly string[];
  /** Events that were looked at. */
  readonly scanned: number;
  readonly next: string | null;
}

/** Dependencies of the selection. */
export interface SelectionParts {
  readonly db: Pick<Database, 'all'>;
  readonly select: SelectEvents;
  readonly comparisons: Pick<ReplayedComparisons, 'select'>;
  readonly endpoints: {
    named(project: string, ids: readonly string[]): Promise<readonly FanOutEndpoint[]>;
  };
}

/** A batch of events, each with what happens to it. */
export interface Candidates {
  /** Oldest first. */
  readonly fates: readonly { readonly event: CandidateRow; readonly isSent: boolean }[];
  /** Events that were looked at. */
  readonly scanned: number;
  /** The cursor behind them; null if no events follow. */
  readonly next: string | null;
}

/** The cursor at which every replay begins. */
export const START = '';
/** Events that are looked at in one step to find those that an endpoint missed. */
const PAGE = 200;
/** Bytes of decisions that one step reads. */
const MOST_BYTES = 1_048_576;

/**
 * The next events of a replay.
 *
 * @param began - Events that were decided later are skipped. Unix ms.
 * @param most - Most events to replay.
 */
export async function nextCandidates(
  parts: SelectionParts,
  {
    project,
    asked,
    began,
  }: { readonly project: string; readonly asked: AskedReplays; readonly began: number },
  { cursor, most }: { readonly cursor: string; readonly most: number },
  signal: AbortSignal,
): Promise<Candidates> {
  const { missed_by, match } = asked.filter;
  const selection = { cursor, most: missed_by === undefined ? most : PAGE };
  const page =
    asked.comparison === undefined
      ? await parts.select({ ...selection, ...criteriaOf(asked, began), project, match }, signal)
      : await parts.comparisons.select({ ...selection, ...asked.comparison });
  const rows = await parts.db.all<CandidateRow>(SELECT_CANDIDATES, [project, JSON.stringify(page.ids)]);
  const known = new Map(rows.map((row) => [row.id, row]));
  const events = page.ids.flatMap((id) => known.get(id) ?? []);
  const { scanned, next } = page;
  if (missed_by === undefined) {
    return { fates: events.map((event) => fateOf(event, asked, began)), scanned, next };
  }
  const [endpoint] = await parts.endpoints.named(project, [missed_by]);
  // Nothing can be repaired at an endpoint that was deleted.
  if (endpoint === undefined) return { fates: [], scanned: 0, next: null };
  const { missed, cut } = await missedBy({ ...parts, project }, endpoint, events);
  const fates = missed.map((event) => fateOf(event, asked, began));
  const read = cut === null ? { scanned, next } : { scanned: events.indexOf(cut), next: cut.id };
  return cutAfter({ fates, ...read }, most);
}

/** The conditions of the list: the replay sends nothing else. */
function criteriaOf(asked: AskedReplays, began: number): { readonly filter: EventFilter } {
  const { missed_by, match: _match, ...conditions } = asked.filter;
  return {
    filter: {
      ...conditions,
      ...((missed_by !== undefined || leavesOutDropped(asked)) && { status: 'processed' }),
      to: Math.min(conditions.to ?? Infinity, began + 1),
    },
  };
}

/** Dropped events go to nobody, unless the rules of today decide them again or endpoints are named. */
const leavesOutDropped = ({ rules, endpoint_ids }: AskedReplays): boolean =>
  rules === 'recorded' && endpoint_ids === undefined;

/** An event that was not decided when the replay began is not part of it. */
const fateOf = (event: CandidateRow, asked: AskedReplays, began: number) => ({
  event,
  isSent:
    event.status !== 'received' &&
    event.decided_at !== null &&
    event.decided_at <= began &&
    !(event.status === 'dropped' && leavesOutDropped(asked)),
});

/** The first candidates, up to the last of as many that are sent. */
export function cutAfter(candidates: Candidates, most: number): Candidates {
  const sent = candidates.fates.flatMap(({ isSent }, i) => (isSent ? [i] : []));
  const last = sent.length > most ? sent[most - 1] : undefined;
  if (last === undefined) return candidates;
  const fates = candidates.fates.slice(0, last + 1);
  return { fates, scanned: fates.length, next: boundAfter(fates.at(-1)?.event.id ?? START) };
}

/**
 * The events that an endpoint has missed, up to the first one that is left to the next step, because decisions are
 * long.
 */
interface Missed {
  readonly missed: readonly CandidateRow[];
  readonly cut: CandidateRow | null;
}

async function missedBy(
  { db, project }: Pick<SelectionParts, 'db'> & { readonly project: string },
  endpoint: FanOutEndpoint,
  events: readonly CandidateRow[],
): Promise<Missed> {
  const ids = JSON.stringify(events.map(({ id }) => ({ id })));
  const rows = await db.all<MissedRow>(SELECT_MISSED, [ids, endpoint.id, project]);
  const found = new Map(rows.map((row) => [row.id, row]));
  const untried = events.filter(
    ({ id, topic, type }) =>
      (found.get(id)?.best ?? null) === null && coversTopic(endpoint.topics, topic ?? type),
  );
  const [asked, cut] = withinBytes(untried, ({ id }) => found.get(id)?.bytes ?? 0, MOST_BYTES);
  const decided = await db.all<{ id: string; endpoint_ids: string | null }>(SELECT_DECIDED_ENDPOINTS, [
    project,
    JSON.stringify(asked.map(({ id }) => id)),
  ]);
  const meant = new Set(decided.filter((row) => isNamed(row.endpoint_ids, endpoint.id)).map(({ id }) => id));
  const read = cut === null ? events : events.slice(0, events.indexOf(cut));
  return { missed: read.filter(({ id }) => found.get(id)?.best === FAILED || meant.has(id)), cut };
}

/** See `MissedRow.best`. */
const FAILED = 1;

/** @param json - Ids of endpoints; null, also as JSON, if no rule named any. */
function isNamed(json: string | null, endpoint: string): boolean {
  const named = JSON.parse(json ?? 'null') as readonly string[] | null;
  return named === null || named.some((id) => id.toLowerCase() === endpoint);
}

/** The first values that have a number of bytes together, at least one, and the one behind them. */
export function withinBytes<Of>(
  values: readonly Of[],
  bytesOf: (value: Of) => number,
  most: number,
): readonly [first: readonly Of[], next: Of | null] {
  let sum = 0;
  const end = values.findIndex((value, i) => (sum += bytesOf(value)) > most && i > 0);
  return end < 0 ? [values, null] : [values.slice(0, end), values[end] ?? null];
}
