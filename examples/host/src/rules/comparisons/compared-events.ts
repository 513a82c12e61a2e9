/** The events of a comparison, for replays of its groups. */
import type { Database } from '../../db/index.js';
import { notFound, Problem } from '../../errors/problem.js';
import { boundAfter } from '../../ids.js';
import type { ComparisonGroup } from './routes.js';
import { COUNT_KEPT, KEEP_COMPARISON, SELECT_COMPARED_EVENTS } from './statements.js';
import { type GroupedIds, idsIn } from './tally.js';

/** A request for events of a comparison, oldest first. */
export interface ComparedSelection {
  readonly id: string;
  readonly groups: readonly ComparisonGroup[];
  /** The cursor that the last selection returned; empty at first. */
  readonly cursor: string;
  /** Most ids. */
  readonly most: number;
}

/** The comparisons that are stored. */
export interface ComparedEvents {
  /**
   * Keeps a comparison at least until a time, Unix ms. Rejects with the problem `not_found`, and with `conflict` if too
   * many of the project are kept longer than usual.
   */
  keep(project: string, id: string, until: number): Promise<void>;
  /**
   * The next events of some of its groups, the number that were looked at, and the cursor behind them; null if none
   * follow.
   */
  select(selection: ComparedSelection): Promise<{
    readonly ids: readonly string[];
    readonly scanned: number;
    readonly next: string | null;
  }>;
}

/** Comparisons of a project that are kept longer than usual, for replays. */
const MOST_KEPT = 100;
/** Rows of up to 200 events each that are read at once. */
const ROWS = 10;

/** @param now - Unix ms. */
export const createComparedEvents = (
  db: Pick<Database, 'all' | 'get' | 'run'>,
  now: () => number,
): ComparedEvents => ({
  async keep(project, id, until) {
    const others = await db.get<{ n: number }>(COUNT_KEPT, [project, id, MOST_KEPT]);
    if ((others?.n ?? 0) >= MOST_KEPT) {
      throw new Problem('conflict', `${MOST_KEPT} comparisons of the project are kept for replays already`);
    }
    if ((await db.run(KEEP_COMPARISON, [project, id, until, now()])) === 0) throw notFound('comparison');
  },
  async select({ id, groups, cursor, most }) {
    const rows = await db.all<GroupedIds>(SELECT_COMPARED_EVENTS, [id, cursor, ROWS]);
    const ids = rows.flatMap((row) => idsIn(row, groups)).filter((one) => one > cursor);
    const first = ids.slice(0, most);
    const last = first.length === most ? first.at(-1) : undefined;
    const end = rows.length === ROWS ? rows.at(-1)?.newest_id : undefined;
    const reached = last ?? end;
    return { ids: first, scanned: first.length, next: reached === undefined ? null : boundAfter(reached) };
  },
});
