/**
 * The saved versions of rules. The audit log has them, whole if they are small. Of large ones it has a part, so they
 * are kept beside it.
 */
import { parseJson, type RuleDocument, stringifyJson } from 'headgate';
import type { WrittenEntry } from '../audit/audit.js';
import { idBefore, type Page, PAGE_BYTES, pageOfRows } from '../api/page.js';
import { iso } from '../api/shapes.js';
import type { Database, Queries } from '../db/index.js';
import { notFound } from '../errors/problem.js';
import type { Edit } from './edit.js';
import type { RuleVersion } from './routes.js';
import { DELETE_OLD_VERSIONS, SELECT, SELECT_VERSIONS_PAGE, type VersionRow } from './statements.js';

/** Most large versions of a rule that are kept. */
export const MOST_LARGE = 20;

/** A rule as it was saved. */
interface Saved {
  readonly id: string;
  readonly rule: object;
}

/**
 * Keeps the versions that the audit log has only in part, in the transaction that wrote its entries.
 *
 * @param entries - The entry of each version.
 */
export async function keepVersions(
  queries: Pick<Queries, 'insert'>,
  entries: readonly WrittenEntry[],
  versions: readonly Saved[],
): Promise<void> {
  const rows = entries.flatMap(({ id, isWhole }, index) => {
    const saved = versions[index];
    if (isWhole || saved === undefined) return [];
    const rule = stringifyJson(saved.rule);
    return [{ rule_id: saved.id, id, bytes: Buffer.byteLength(rule), rule }];
  });
  if (rows.length > 0) await queries.insert('large_rule_versions', rows);
}

/** Writes the version of one rule into the audit log, and keeps it. */
export async function logVersion(
  { tx, audit }: Edit,
  action: string,
  id: string,
  states: { readonly before?: object; readonly after: object },
): Promise<void> {
  const entries = await audit({ action, resource: `rule:${id}`, ...states });
  await keepVersions(tx, entries, [{ id, rule: states.after }]);
  await tx.run(DELETE_OLD_VERSIONS, [id, MOST_LARGE]);
}

/** A page of the versions of a rule, which may have been deleted, newest first. */
export async function pageOfVersions(
  db: Database,
  { project, rule }: { readonly project: string; readonly rule: string },
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<RuleVersion>> {
  const values = [project, `rule:${rule}`, rule, idBefore(cursor), limit + 1, PAGE_BYTES];
  const rows = await db.all<VersionRow>(SELECT_VERSIONS_PAGE, values);
  const isUnknown = rows.length === 0 && cursor === undefined;
  if (isUnknown && (await db.get(SELECT, [project, rule])) === undefined) throw notFound('rule');
  return pageOfRows(rows, limit, shown);
}

const shown = ({ id, at, actor, action, rule }: VersionRow): RuleVersion => ({
  ...{ id, at: iso(at), actor },
  action: action.replace('rule.', '') as RuleVersion['action'],
  rule: wholeRule(rule),
});

/** The members that every rule has. */
const MEMBERS = ['name', 'stage', 'match', 'action', 'priority'];

/** The rule; null for one of which the audit log has only the members that changed. */
function wholeRule(text: string | null): RuleVersion['rule'] {
  const rule = text === null ? {} : (parseJson(text) as Readonly<Record<string, unknown>>);
  const isWhole = MEMBERS.every((member) => Object.hasOwn(rule, member));
  const isCut = Object.values(rule).some((value) => isObject(value) && Object.hasOwn(value, 'left_out'));
  return isWhole && !isCut ? (rule as unknown as RuleDocument & { readonly enabled: boolean }) : null;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
