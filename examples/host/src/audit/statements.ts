/** The statements of the audit log. */
import { type ListedRow, upTo } from '../db/index.js';

/** A row of `audit_log`. */
export interface AuditRow extends ListedRow {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly resource: string;
  /** JSON; null also for one that is too large to show. */
  readonly before: string | null;
  readonly after: string | null;
  /** Null if there is nothing. */
  readonly before_bytes: number | null;
  readonly after_bytes: number | null;
}

/** Columns by which entries are found; each has an index of its own. */
export const FILTERS = ['actor', 'action', 'resource'] as const;

const bytesOf = (column: string): string =>
  `case when octet_length(${column}) <= $6 then octet_length(${column}) else 0 end`;
const stateOf = (column: string): string =>
  `case when octet_length(a.${column}) <= $6 then a.${column} end as ${column},
    octet_length(a.${column}) as ${column}_bytes`;

/** The keys of a page with the bytes that it shows of each entry. */
const sizedPage = (
  conditions: string,
): string => `select id, ${bytesOf('before')} + ${bytesOf('after')} as bytes
  from audit_log where project_id = $1 and id < $2 and id >= $3${conditions} order by id desc limit $4`;

/** One statement for each set of filters, whose values begin at `$7`, so that each is read by an index. */
const STATEMENTS = new Map<string, string>();

/**
 * Newest first: project, id before which the page begins, least id, limit, most bytes of the page, most bytes of a
 * state, then the values of the filters.
 */
export function selectPage(filters: readonly (typeof FILTERS)[number][]): string {
  const name = filters.join();
  const known = STATEMENTS.get(name);
  if (known !== undefined) return known;
  const conditions = filters.map((column, i) => ` and ${column} = $${i + 7}`).join('');
  const statement = `select a.id, a.at, a.actor, a.action, a.resource, ${stateOf('before')}, ${stateOf('after')}, s.listed
    from ${upTo(sizedPage(conditions), 'id desc', '$5')} as s join audit_log as a on a.id = s.id order by a.id desc`;
  STATEMENTS.set(name, statement);
  return statement;
}
