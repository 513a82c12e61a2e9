/** The statements of the audit log. */

/** A row of `audit_log`. */
export interface AuditRow {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly resource: string;
  /** JSON. */
  readonly before: string | null;
  /** JSON. */
  readonly after: string | null;
}

/** Columns by which entries are found; each has an index of its own. */
export const FILTERS = ['actor', 'action', 'resource'] as const;

const PAGE = `select id, at, actor, action, resource, before, after from audit_log
  where project_id = $1 and id < $2 and id >= $3`;

/** One statement for each set of filters, whose values begin at `$5`, so that each is read by an index. */
const STATEMENTS = new Map<string, string>();

/** Newest first: project, id before which the page begins, least id, limit, then the values of the filters. */
export function selectPage(filters: readonly (typeof FILTERS)[number][]): string {
  const name = filters.join();
  const known = STATEMENTS.get(name);
  if (known !== undefined) return known;
  const conditions = filters.map((column, i) => ` and ${column} = $${i + 5}`).join('');
  const statement = `${PAGE}${conditions} order by id desc limit $4`;
  STATEMENTS.set(name, statement);
  return statement;
}
