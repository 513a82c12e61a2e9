/** Gives the rules of a project a new order. */
import { Problem } from '../errors/problem.js';
import { expectVersion } from '../http/version.js';
import type { Edit, Editor, RunEdit } from './edit.js';
import { type RuleRow, SELECT_ORDER, UPDATE_PRIORITIES } from './statements.js';

/** The priorities of an order, which leave room for rules in between. */
const STEP = 10;

/** Ids of each kind that a refusal names; its sentence has their numbers. */
const MOST_NAMED = 100;

/** A rule in the order. */
export interface OrderedRule {
  readonly id: string;
  readonly priority: number;
  readonly version: number;
}

/** The new order of a project. */
export interface RuleOrder {
  /** The version of the rule set. */
  readonly version: number;
  readonly items: OrderedRule[];
}

type OrderRow = Pick<RuleRow, 'id' | 'priority' | 'version'>;

/**
 * Gives all rules of a project the order of a list: priorities 10, 20, 30 … Rules that have theirs already keep their
 * version.
 *
 * @param ids - Every rule of the project, once.
 * @param headers - With the version of the rule set as `If-Match`, where the caller has read the list.
 * @throws Problem `conflict` that names the rules that are missing from the list, unknown, or there twice.
 */
export const orderRules = (
  run: RunEdit,
  editor: Editor,
  ids: readonly string[],
  headers: Headers,
): Promise<RuleOrder> =>
  run(editor, async (edit) => {
    const rows = await edit.tx.all<OrderRow>(SELECT_ORDER, [editor.project]);
    expectVersion(headers, edit.version - 1, { ids: rows.map(({ id }) => id) });
    assertSame(ids, rows);
    const before = new Map(rows.map((row) => [row.id, row]));
    const items = ids.map((id, i) => moved(before.get(id) as OrderRow, (i + 1) * STEP));
    await writeOrder(edit, rows, items);
    return { version: edit.version, items };
  });

const moved = (row: OrderRow, priority: number): OrderedRule =>
  row.priority === priority ? row : { ...row, priority, version: row.version + 1 };

async function writeOrder(
  { tx, project, version, at, audit }: Edit,
  before: readonly OrderRow[],
  items: readonly OrderedRule[],
): Promise<void> {
  const versions = new Map(before.map((row) => [row.id, row.version]));
  const changed = items.filter((item) => item.version !== versions.get(item.id));
  const rows = JSON.stringify(changed.map(({ id, priority }) => ({ id, priority })));
  await tx.run(UPDATE_PRIORITIES, [project, rows, version, at]);
  const priorities = (list: readonly OrderRow[]) => list.map(({ id, priority }) => ({ id, priority }));
  const states = { before: priorities(before), after: priorities(items) };
  await audit({ action: 'rules.reordered', resource: `project:${project}`, ...states });
}

function assertSame(ids: readonly string[], rows: readonly OrderRow[]): void {
  const listed = new Set(ids);
  const known = new Set(rows.map(({ id }) => id));
  const members = {
    missing: [...known].filter((id) => !listed.has(id)),
    unknown: [...listed].filter((id) => !known.has(id)),
    repeated: repeatedIn(ids),
  };
  const wrong = Object.entries(members).filter(([, found]) => found.length > 0);
  if (wrong.length === 0) return;
  const told = wrong.map(([what, found]) => `${found.length} ${what}`).join(', ');
  const named = Object.entries(members).map(([what, found]) => [what, found.slice(0, MOST_NAMED)]);
  throw new Problem('conflict', `give every rule of the project once: ${told}`, {
    members: Object.fromEntries(named) as Readonly<Record<string, unknown>>,
  });
}

/** Ids that come a second time. */
function repeatedIn(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  const repeated = ids.filter((id) => seen.size === seen.add(id).size);
  return [...new Set(repeated)];
}
