/** Reads rules with their counts. */
import { hasMore, PAGE_BYTES } from '../api/page.js';
import type { Database, ListedRow, Queries } from '../db/index.js';
import { iso, isoOrNull } from '../api/shapes.js';
import { cursorAfter, sortKeyOf } from '../http/cursor.js';
import { notFound } from '../errors/problem.js';
import { quotaMembers } from './checking.js';
import { countsOf } from './counting.js';
import type { CountPeriod, RuleCountsPage, RulePageQuota, ShownRule } from './routes.js';
import {
  type CountedRow,
  SELECT,
  SELECT_COUNTED,
  SELECT_HOURS,
  SELECT_PAGE,
  SELECT_RULES_HEAD,
} from './statements.js';
import { documentOf } from './stored.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MINUTES_OF_HOUR = 60;
const MINUTES_OF_DAY = 1_440;
/** Below every priority. */
const BEFORE_ALL = -Number.MAX_SAFE_INTEGER;

/** The start and the length of a page. */
interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page of rules, and the version that the rule set had just before it was read. */
interface RulePage {
  readonly items: ShownRule[];
  readonly next: string | null;
  readonly version: number;
  readonly quota: RulePageQuota;
}

/** One hour of a rule. */
interface HourOfRule {
  /** The beginning of the hour, ISO 8601. */
  readonly at: string;
  readonly matched: number;
}

/** Rules as the API shows them. */
export interface RuleReads {
  /** @throws Problem `not_found` */
  one(project: string, rule: string, queries?: Queries): Promise<ShownRule>;
  /** In evaluation order. */
  page(project: string, query: PageQuery): Promise<RulePage>;
  /** Matches of all rules over a period, in evaluation order. */
  counts(project: string, query: PageQuery & { readonly period: CountPeriod }): Promise<RuleCountsPage>;
  /** Matches of the last hours, oldest first. */
  hours(project: string, rule: string, count: number): Promise<HourOfRule[]>;
}

export function createRuleReads(db: Database, now: () => number): RuleReads {
  const dayAgo = (): number => Math.floor(now() / MINUTE_MS) - MINUTES_OF_DAY;
  return {
    async one(project, rule, queries = db) {
      const row = await queries.get<CountedRow>(SELECT_COUNTED, [project, dayAgo(), rule]);
      if (row === undefined) throw notFound('rule');
      return shownRule(row);
    },
    async page(project, { limit, cursor }) {
      const [priority, id] = keyAfter(cursor);
      const { rules_version: version, plan, count: used } = await headOf(db, project);
      const values = [project, dayAgo(), priority, id, limit + 1, PAGE_BYTES];
      const rows = await db.all<CountedRow & ListedRow>(SELECT_PAGE, values);
      const items = rows.slice(0, limit).map(shownRule);
      const last = items.at(-1);
      const quota = { used, ...quotaMembers(plan) };
      const goesOn = last !== undefined && hasMore(rows, items.length);
      return { items, next: goesOn ? cursorAfter([last.priority, last.id]) : null, version, quota };
    },
    counts(project, { limit, cursor, period }) {
      return countsOf(db, project, { period, limit, after: keyAfter(cursor), now: now() });
    },
    async hours(project, rule, count) {
      if ((await db.get(SELECT, [project, rule])) === undefined) throw notFound('rule');
      const end = Math.floor(now() / HOUR_MS) + 1;
      const bounds = [end - count, end].map((hour) => hour * MINUTES_OF_HOUR);
      const rows = await db.all<{ hour: number; matched: number }>(SELECT_HOURS, [rule, ...bounds]);
      const matched = new Map(rows.map((row) => [row.hour, row.matched]));
      return Array.from({ length: count }, (_, i) => {
        const hour = end - count + i;
        return { at: iso(hour * HOUR_MS), matched: matched.get(hour) ?? 0 };
      });
    },
  };
}

/** The sort key after which a page begins. */
const keyAfter = (cursor: string | undefined): readonly [priority: number, id: string] =>
  cursor === undefined ? [BEFORE_ALL, ''] : (sortKeyOf(cursor, ['number', 'string']) as [number, string]);

interface RulesHead {
  readonly rules_version: number;
  readonly plan: string;
  readonly count: number;
}

async function headOf(queries: Queries, project: string): Promise<RulesHead> {
  const row = await queries.get<RulesHead>(SELECT_RULES_HEAD, [project]);
  if (row === undefined) throw notFound('project');
  return row;
}

function shownRule(row: CountedRow): ShownRule {
  return {
    id: row.id,
    ...documentOf(row),
    enabled: row.enabled === 1,
    version: row.version,
    counts: {
      matched: row.matched ?? 0,
      last_24h: row.last_24h ?? 0,
      last_matched_at: isoOrNull(row.last_matched_at),
    },
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}
