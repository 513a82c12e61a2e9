/** The events of a comparison, for replays of its groups. */
import type { Database } from '../../db/index.js';
import { notFound } from '../../errors/problem.js';
import type { ComparisonGroup } from './routes.js';
import { KEEP_COMPARISON, SELECT_COMPARED_EVENTS } from './statements.js';
import { type GroupedIds, idsIn } from './tally.js';

/** A request for events of a comparison, oldest first. */
export interface ComparedSelection {
  readonly id: string;
  readonly groups: readonly ComparisonGroup[];
  /** The place where the last selection ended; empty at first. */
  readonly place: string;
  /** Most ids. */
  readonly most: number;
}

/** The comparisons that are stored. */
export interface ComparedEvents {
  /** Keeps a comparison for as long as a replay of its groups may run. Rejects with the problem `not_found`. */
  keep(project: string, id: string, at: number): Promise<void>;
  /** The next events of some of its groups, the number that were looked at, and the place behind them; null if none follow. */
  select(selection: ComparedSelection): Promise<{
    readonly ids: readonly string[];
    readonly scanned: number;
    readonly next: string | null;
  }>;
}

const KEEP_MS = 90 * 86_400_000;
/** Rows of up to 200 events each that are read at once. */
const ROWS = 10;

export const createComparedEvents = (db: Pick<Database, 'all' | 'run'>): ComparedEvents => ({
  async keep(project, id, at) {
    const kept = await db.run(KEEP_COMPARISON, [project, id, at + KEEP_MS, at]);
    if (kept === 0) throw notFound('comparison');
  },
  async select({ id, groups, place, most }) {
    const rows = await db.all<GroupedIds>(SELECT_COMPARED_EVENTS, [id, place, ROWS]);
    const ids = rows.flatMap((row) => idsIn(row, groups)).filter((one) => one > place);
    const first = ids.slice(0, most);
    const last = first.length === most ? first.at(-1) : undefined;
    const end = rows.length === ROWS ? rows.at(-1)?.newest_id : undefined;
    const reached = last ?? end;
    return { ids: first, scanned: first.length, next: reached === undefined ? null : behind(reached) };
  },
});

/** A place that sorts between an id and the next one. */
const behind = (id: string): string => `${id}!`;
