/** Saves, changes and deletes rules. */
import { setImmediate as turn } from 'node:timers/promises';
import { type Database, DatabaseUnavailable } from '../db/index.js';
import { newId } from '../ids.js';
import { notFound } from '../errors/problem.js';
import { expectVersion } from '../http/version.js';
import { assertQuota, type CheckedRule, checkedRule, withChanges } from './checking.js';
import { assertBytes, type Edit, type Editor, type RunEdit, totalsOf } from './edit.js';
import type { RuleReads } from './reading.js';
import type { ShownRule } from './routes.js';
import {
  DELETE,
  DELETE_COUNTS,
  DELETE_MINUTES,
  DELETE_VERSIONS,
  type RuleRow,
  SELECT,
  UPDATE,
} from './statements.js';
import { auditedRule, columnsOf, ruleOf } from './stored.js';
import { logVersion } from './versions.js';

/** Edits of single rules. Documents are of any type and depth; they are checked here. */
export interface RuleWrites {
  create(editor: Editor, input: unknown): Promise<ShownRule>;
  /** @param headers - With `If-Match`, where the caller has read the rule. */
  replace(editor: Editor, rule: string, headers: Headers, input: unknown): Promise<ShownRule>;
  change(editor: Editor, rule: string, headers: Headers, edit: unknown): Promise<ShownRule>;
  remove(editor: Editor, rule: string, headers: Headers): Promise<void>;
}

/** Called with a project whose plan has no room for a rule. */
type OnFull = (project: string) => void;

/** Rows that are deleted before the event loop runs: a rule may have one for each minute of 400 days. */
export const MINUTES_AT_ONCE = 500;

/** Deletes the counts of a rule that was deleted. If that fails, retention deletes them once the minutes are old. */
export async function forgetMinutes(db: Pick<Database, 'run'>, rule: string): Promise<void> {
  try {
    while ((await db.run(DELETE_MINUTES, [rule, MINUTES_AT_ONCE])) === MINUTES_AT_ONCE) await turn();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
  }
}

export function createRuleWrites(run: RunEdit, reads: RuleReads, full?: OnFull): RuleWrites {
  /** The row as it is, which must be the version that the request has read. */
  const rowFor = async ({ tx, project }: Edit, id: string, headers: Headers): Promise<RuleRow> => {
    const row = await tx.get<RuleRow>(SELECT, [project, id]);
    if (row === undefined) throw notFound('rule');
    expectVersion(headers, row.version, await reads.one(project, id, tx));
    return row;
  };
  const update = async (
    edit: Edit,
    before: RuleRow,
    { document, enabled }: CheckedRule,
  ): Promise<ShownRule> => {
    const after = columnsOf(document, enabled ?? before.enabled === 1);
    const { bytes } = await totalsOf(edit);
    assertBytes(bytes - before.bytes + after.bytes);
    const { tx, project, version, at } = edit;
    const { document: text, priority } = after;
    await tx.run(UPDATE, [project, before.id, text, after.bytes, priority, after.enabled, version, at]);
    const states = { before: auditedRule(before), after: auditedRule(after) };
    await logVersion(edit, 'rule.updated', before.id, states);
    return reads.one(project, before.id, tx);
  };
  return {
    async create(editor, input) {
      const { document, enabled } = checkedRule(input);
      const columns = columnsOf(document, enabled ?? true);
      return run(editor, async (edit) => {
        const { tx, project, plan, version, at } = edit;
        const { count, bytes } = await totalsOf(edit);
        assertQuota(plan, count, () => full?.(project));
        assertBytes(bytes + columns.bytes);
        const id = newId(at);
        const stamps = { version: 1, changed_in: version, created_at: at, updated_at: at };
        await tx.insert('rules', [{ id, project_id: project, ...columns, ...stamps }]);
        await logVersion(edit, 'rule.created', id, { after: auditedRule(columns) });
        return reads.one(project, id, tx);
      });
    },
    async replace(editor, id, headers, input) {
      const checked = checkedRule(input);
      return run(editor, async (edit) => update(edit, await rowFor(edit, id, headers), checked));
    },
    change: (editor, id, headers, changes) =>
      run(editor, async (edit) => {
        const before = await rowFor(edit, id, headers);
        return update(edit, before, checkedRule(withChanges(ruleOf(before), changes)));
      }),
    remove: (editor, id, headers) =>
      run(editor, async (edit) => {
        const before = await rowFor(edit, id, headers);
        await edit.tx.run(DELETE, [editor.project, id]);
        await edit.tx.run(DELETE_COUNTS, [id]);
        await edit.tx.run(DELETE_VERSIONS, [id]);
        await edit.audit({ action: 'rule.deleted', resource: `rule:${id}`, before: auditedRule(before) });
      }),
  };
}
