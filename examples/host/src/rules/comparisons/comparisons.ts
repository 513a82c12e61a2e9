/** Comparisons: run in a thread, and stored for a day. */
import { type PatternOptions, RuleError, stringifyJson } from 'headgate';
import { jsonText } from '../../api/answers.js';
import { longAnswer, type LongRun, type RunLong } from '../../api/long-answer.js';
import { idBefore, pageOfRows } from '../../api/page.js';
import { refusedSlowly } from '../../api/refusing.js';
import { bind, type BoundRoute } from '../../api/route.js';
import { iso } from '../../api/shapes.js';
import type { Database } from '../../db/index.js';
import { notFound, Problem } from '../../errors/problem.js';
import { newId } from '../../ids.js';
import type { Turns } from '../../limits/turns.js';
import { invalidRule } from '../checking.js';
import type { CurrentRules } from '../current.js';
import { rulePool } from '../rule-pool.js';
import { runLong } from '../long-runs.js';
import type { EndedComparison } from './compare-events.js';
import {
  type ComparedRules,
  createComparison,
  type ComparisonSummary,
  getComparison,
  listComparisons,
} from './routes.js';
import * as sql from './statements.js';
import type { ComparisonProgress } from './tally.js';

/** Dependencies and settings of comparisons. */
export interface ComparisonParts {
  readonly db: Database;
  readonly now: () => number;
  readonly current: (project: string) => Promise<CurrentRules>;
  readonly turns: Pick<Turns, 'take'>;
  /** The work that rules may do on one event, as where events are decided. */
  readonly patterns?: PatternOptions | undefined;
  readonly deadline?: (() => AbortSignal) | undefined;
}

const HOUR_MS = 3_600_000;
/** Comparisons of a project that are kept. */
const MOST_OF_PROJECT = 20;
/** Rows of up to 200 events each that are written at once. */
const ROWS = 50;

export function comparisonRoutes(parts: ComparisonParts): readonly BoundRoute[] {
  const { db, now, turns } = parts;
  return [
    bind(createComparison, async (call) => {
      const { params, body: asked, principal } = call;
      const { project } = params;
      const end = await refusedSlowly(() => turns.take(project));
      const compare: RunLong<ComparisonProgress> = (how) =>
        run(parts, { project, asked, actor: principal.actor }, how).finally(end);
      return longAnswer(compare, call);
    }),
    bind(listComparisons, async ({ params, query: { limit, cursor } }) => {
      const values = [params.project, idBefore(cursor), now(), limit + 1];
      const rows = await db.all<sql.ComparisonRow>(sql.SELECT_COMPARISONS, values);
      return pageOfRows(rows, limit, summaryOf);
    }),
    bind(getComparison, async ({ params: { project, comparison } }) => {
      const row = await db.get<sql.ComparisonRow>(sql.SELECT_COMPARISON, [project, comparison, now()]);
      if (row === undefined) throw notFound('comparison');
      return jsonText(textOf(row));
    }),
  ];
}

/** A comparison that was asked for. */
interface Asked {
  readonly project: string;
  readonly asked: ComparedRules;
  readonly actor: string;
}

async function run(parts: ComparisonParts, of: Asked, call: LongRun<ComparisonProgress>): Promise<string> {
  const { db, now, current, patterns, deadline } = parts;
  const { project, asked, actor } = of;
  const { version, text: saved } = await current(project);
  const to = now();
  const from = to - asked.window_hours * HOUR_MS;
  const given = {
    ...{ database: db.options, project, saved, asked: stringifyJson(asked), from, to },
    ...(patterns !== undefined && { patterns }),
  };
  const ended = await runLong((options) => rulePool.run('compareEvents', given, options), call, {
    deadline,
    timedOut: ({ scanned = 0 }: Partial<ComparisonProgress>) =>
      new Problem(
        'dry_run_timeout',
        `the comparison was ended after ${scanned} events: choose a smaller window, or rules that are faster`,
      ),
  }).catch((error: unknown) => {
    throw error instanceof RuleError ? invalidRule(error.issues) : error;
  });
  const { undecided, limits, scanned, reached } = ended;
  const row: sql.ComparisonRow = {
    ...{ id: newId(to), project_id: project, window_hours: asked.window_hours },
    ...{ from_ms: reached ?? from, to_ms: to, is_complete: reached === null ? 1 : 0 },
    ...{ rules_version: version, scanned, undecided, limits, groups: null },
    ...{ created_at: to, created_by: actor, expires_at: to + sql.LIFETIME_MS },
  };
  if (asked.keep !== false) {
    await removeSurplus(db, project);
    await store(db, row, ended);
  }
  return textOf({ ...row, groups: ended.groups });
}

/** Stores the groups last: nobody finds a comparison whose events are not all there. */
async function store(db: Database, row: sql.ComparisonRow, { groups, kept }: EndedComparison): Promise<void> {
  await db.insert('comparisons', [{ ...row }]);
  for (let i = 0; i < kept.length; i += ROWS) {
    const rows = kept.slice(i, i + ROWS).map((of) => ({ comparison_id: row.id, ...of }));
    await db.insert('comparison_events', rows);
  }
  await db.run(sql.SET_GROUPS, [row.id, groups]);
}

/** Deletes the oldest comparisons of a project, so that one more makes as many as it may have. */
async function removeSurplus(db: Database, project: string): Promise<void> {
  const values = [project, MOST_OF_PROJECT - 1];
  const rows = await db.all<{ id: string }>(sql.SELECT_SURPLUS, values);
  if (rows.length === 0) return;
  const ids = JSON.stringify(rows.map(({ id }) => id));
  await db.run(sql.HIDE_COMPARISONS, [ids]);
  while ((await db.run(sql.DELETE_COMPARED_EVENTS, [ids])) > 0);
  await db.run(sql.DELETE_COMPARISONS, [ids]);
}

const summaryOf = (row: Omit<sql.ComparisonRow, 'groups'>): ComparisonSummary => ({
  ...{ id: row.id, window_hours: row.window_hours, from: iso(row.from_ms), to: iso(row.to_ms) },
  ...{ is_complete: row.is_complete === 1, rules_version: row.rules_version },
  ...{ scanned: row.scanned, undecided: row.undecided, limits: row.limits },
  ...{ created_at: iso(row.created_at), created_by: row.created_by, expires_at: iso(row.expires_at) },
});

const textOf = (row: sql.ComparisonRow): string =>
  `${JSON.stringify(summaryOf(row)).slice(0, -1)},"groups":${row.groups ?? '{}'}}`;
