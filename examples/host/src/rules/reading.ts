/** Reads rules with their counts. */
import type { Database, Queries } from '../db/index.js';
import { cursorAfter, placeOf } from '../ground/cursor.js';
import { notFound } from '../ground/problem.js';
import type { ShownRule } from './routes.js';
import { type CountedRow, SELECT_COUNTED, SELECT_PAGE, SELECT_VERSION } from './statements.js';
import { shownRule } from './stored.js';

const MINUTE_MS = 60_000;
const MINUTES_OF_DAY = 1_440;
/** Below every priority. */
const BEFORE_ALL = -Number.MAX_SAFE_INTEGER;

/** Where a page begins and how long it is. */
interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page of rules, and the version that the rule set had just before it was read. */
interface RulePage {
  readonly items: ShownRule[];
  readonly next: string | null;
  readonly version: number;
}

/** Rules as the API shows them. */
export interface RuleReads {
  /** @throws Problem `not_found` */
  one(project: string, rule: string, queries?: Queries): Promise<ShownRule>;
  /** In evaluation order. */
  page(project: string, query: PageQuery): Promise<RulePage>;
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
      const [priority, id] = cursor === undefined ? [BEFORE_ALL, ''] : placeOf(cursor, ['number', 'string']);
      const version = await versionOf(db, project);
      const rows = await db.all<CountedRow>(SELECT_PAGE, [project, dayAgo(), priority!, id!, limit + 1]);
      const items = rows.slice(0, limit).map(shownRule);
      const last = items.at(-1);
      const hasMore = rows.length > limit && last !== undefined;
      return { items, next: hasMore ? cursorAfter([last.priority, last.id]) : null, version };
    },
  };
}

async function versionOf(queries: Queries, project: string): Promise<number> {
  const row = await queries.get<{ rules_version: number }>(SELECT_VERSION, [project]);
  if (row === undefined) throw notFound('project');
  return row.rules_version;
}
