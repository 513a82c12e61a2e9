/** Shows what rules do with events that are there, while somebody reads or writes them. It changes nothing. */
import { type DryRunEndpoint, type PatternOptions, RuleError, stringifyJson } from 'headgate';
import { jsonText } from '../api/answers.js';
import { bind, type BoundRoute, WithHeaders } from '../api/route.js';
import { iso } from '../api/shapes.js';
import type { Database } from '../db/index.js';
import { asksForRawPayload } from '../stored/event-json.js';
import { cursorAfter, sortKeyOf } from '../http/cursor.js';
import { notFound, Problem, type ProblemIssue } from '../errors/problem.js';
import { shownDecision, type StoredDecision } from '../stored/decision.js';
import { etag } from '../http/version.js';
import { newId } from '../ids.js';
import type { Explained, MatchedThen } from './explain-rules.js';
import type { PartOfRules } from './given.js';
import { idsOfRoute } from '../stored/route-ids.js';
import type { Pool } from '../threads/index.js';
import { createTrialPool, type TrialLimits } from './trial-pool.js';
import type { TrialWorker } from './trial-worker.js';
import { createEventReads } from './reading.js';
import { analyzeRules, explainEvent, listEventPaths, proveRule, tryPattern, tryRule } from './routes.js';
import { type ChangedRow, type DecidedRow, SELECT_CHANGED, SELECT_DECISION } from './statements.js';

/** Dependencies of this module. */
export interface RuleTrialParts {
  readonly db: Database;
  /** The rules of a project as they are now. */
  readonly rules: {
    current(project: string): Promise<{ readonly version: number; readonly text: string }>;
  };
  /** Returns the endpoints with these ids that a project has, active or paused. */
  readonly endpoints: (project: string, ids: readonly string[]) => Promise<readonly DryRunEndpoint[]>;
  /** The work that rules may do on one event, as deciding has it; left out, the library's. */
  readonly patterns?: PatternOptions;
  /** Bounds, which tests may set. */
  readonly settings?: TrialLimits;
}

/** The module. */
export interface RuleTrials {
  /** Ends its threads. */
  stop(): void;
  readonly routes: readonly BoundRoute[];
}

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Below every priority. */
const BEFORE_ALL = -Number.MAX_SAFE_INTEGER;

export function createRuleTrials({ db, rules, endpoints, patterns, settings }: RuleTrialParts): RuleTrials {
  const pool = createTrialPool(patterns, settings);
  const events = createEventReads(db);
  const partOf = async (project: string, { limit, cursor }: PageQuery): Promise<PartOfRules> => {
    const after = cursor === undefined ? [BEFORE_ALL, ''] : sortKeyOf(cursor, ['number', 'string']);
    const { version, text } = await rules.current(project);
    return { rules: { project, version, text }, after: after as [number, string], limit };
  };
  return {
    stop: () => void pool.close(),
    routes: [
      bind(explainEvent, async ({ params: { project, event }, query, signal }) => {
        const row = await db.get<DecidedRow>(SELECT_DECISION, [project, event]);
        if (row === undefined) throw notFound('event');
        const recorded = recordedOf(row);
        const part = await partOf(project, query);
        const [given] = await events.read(project, [event], asksForRawPayload(part.rules.text));
        if (given === undefined) throw notFound('event');
        const matchedThen = recorded === null ? null : matchedThenOf(recorded);
        const asked = { ...part, event: given, matchedThen };
        const explained = await pool.run('explain', asked, { project, signal });
        const ids = JSON.stringify(explained.items.map(({ id }) => id));
        const changed = await db.all<ChangedRow>(SELECT_CHANGED, [project, ids]);
        return shownExplanation(recorded, part.rules.version, explained, changed);
      }),
      bind(tryRule, async ({ params: { project }, body, signal }) => {
        const { match, action, event_ids, type, limit } = body;
        const rule = stringifyJson(defined({ match, action }));
        const ids = event_ids === undefined ? await events.newest(project, limit, type) : unique(event_ids);
        if (event_ids !== undefined) await events.assertKnown(project, ids);
        const given = await events.read(project, ids, asksForRawPayload(rule));
        const tried = { rule, events: given, endpoints: await endpoints(project, idsOfRoute(action)) };
        const items = await valid(pool.run('try', tried, { project, signal }));
        return jsonText(`{"items":[${items.join(',')}],"left_out":${ids.length - items.length}}`);
      }),
      bind(tryPattern, ({ params: { project }, body, signal }) => {
        const { pattern, replace = null, texts } = body;
        return valid(pool.run('tryPattern', { pattern, replace, texts }, { project, signal }));
      }),
      proofRoute(pool, rules),
      bind(listEventPaths, async ({ params: { project }, query: { limit, type }, signal }) => {
        const ids = await events.newest(project, limit, type);
        const given = await events.read(project, ids, true);
        return pool.run('paths', given, { project, signal });
      }),
      bind(analyzeRules, async ({ params: { project }, query, signal }) => {
        const part = await partOf(project, query);
        const { items, next } = await pool.run('analyze', part, { project, signal });
        const { version } = part.rules;
        const page = { version, items: [...items], next: next === null ? null : cursorAfter([...next]) };
        return new WithHeaders(page, { etag: etag(version) });
      }),
    ],
  };
}

const proofRoute = (pool: Pool<TrialWorker>, rules: RuleTrialParts['rules']): BoundRoute =>
  bind(proveRule, async ({ params: { project }, body, signal }) => {
    const { version, text } = await rules.current(project);
    const { id = newId(0), enabled, rule } = body;
    const changed = stringifyJson({ ...(rule as object | undefined), id, enabled });
    const given = { rules: { project, version, text }, changed };
    return jsonText(await valid(pool.run('prove', given, { project, signal })));
  });

function recordedOf({ decision, rules_version, decided_at, dropped_by }: DecidedRow) {
  if (decision === null || rules_version === null || decided_at === null) return null;
  const { matched, matched_count } = shownDecision(
    JSON.parse(decision) as StoredDecision,
    dropped_by !== null,
  );
  return { rules_version, decided_at: iso(decided_at), matched: [...matched], matched_count, dropped_by };
}

type Recorded = NonNullable<ReturnType<typeof recordedOf>>;

/** The recorded decision beside the one that today's rules make. */
function shownExplanation(
  recorded: Recorded | null,
  today: number,
  { items, next, matched, matchedCount, droppedBy }: Explained,
  changed: readonly ChangedRow[],
) {
  const changedIn = new Map(changed.map((one) => [one.id, one.changed_in]));
  const then = recorded?.rules_version ?? null;
  return {
    recorded,
    today: {
      rules_version: today,
      matched: [...matched],
      matched_count: matchedCount,
      dropped_by: droppedBy,
    },
    have_rules_changed: then === null ? null : then !== today,
    items: items.map((item) => ({
      ...item,
      // A rule that was deleted meanwhile has certainly changed.
      changed_since: then === null ? null : (changedIn.get(item.id) ?? Infinity) > then,
    })),
    next: next === null ? null : cursorAfter([...next]),
  };
}

const matchedThenOf = (recorded: Recorded): MatchedThen => ({
  ids: recorded.matched.map(({ id }) => id),
  areAll: recorded.matched.length === recorded.matched_count,
});

const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)];

const defined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const valid = <Of>(result: Promise<Of>): Promise<Of> =>
  result.catch((error: unknown) => {
    throw error instanceof RuleError ? invalid(error.issues) : error;
  });

function invalid(issues: readonly ProblemIssue[]): Problem {
  const told = issues.map(({ code, pointer, message }) => ({ code, pointer, message }));
  return new Problem('invalid_rule', `it is not valid: ${told[0]?.message ?? ''}`, { issues: told });
}
