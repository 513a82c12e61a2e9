/** The edit of a saved rule: what saves it, discards it, and puts it together with the edit of somebody else. */
import { useState } from 'preact/hooks';
import { api, hasCode, type Resource } from '../../data/index.js';
import { ConflictDialog, editRule, useChecked, type Written } from '../../parts/rule-editor/index.js';
import { toast } from '../../ui/index.js';
import { type ShownRule, useAllRules, useDrops } from './all-rules.js';
import { type RuleEdit, useRuleEdit, writtenIn, writtenOf } from './rule-edit.js';
import { useSave } from './use-save.js';

export interface Opened {
  readonly project: string;
  readonly resource: Resource<ShownRule>;
  readonly rule: ShownRule;
}

export type Editing = ReturnType<typeof useEditing>;

/** The edit of the rule, the findings about it, and what saves or discards it. */
export function useEditing(props: Opened) {
  const { project, resource, rule } = props;
  const all = useAllRules(project);
  const edit = useRuleEdit(project, rule);
  const checked = useChecked(edit.editor, useDrops(all.value, rule.id));
  const conflict = useConflict(props, edit);
  /** Shows what the service has answered. */
  const put = (answer: ShownRule): void => {
    resource.set(answer);
    all.reload();
  };
  const saving = useSave(checked, async (body) => {
    try {
      const answer = await api.replaceRule({ project, rule: rule.id, body, ifMatch: edit.version });
      if (edit.settle(answer)) saving.reset();
      put(answer);
      toast(
        answer.warnings.length === 0 ? 'The rule is saved' : 'The rule is saved; see the warnings below it',
      );
    } catch (problem) {
      if (!hasCode(problem, 'version_conflict')) throw problem;
      await conflict.open();
    }
  });
  const discard = (): void => {
    edit.discard();
    saving.reset();
  };
  return { all, edit, checked, conflict, saving, put, discard };
}

/** The dialog in which the edit is put together with the rule that somebody else has saved. */
function useConflict({ project, resource, rule }: Opened, edit: RuleEdit) {
  const [theirs, setTheirs] = useState<ShownRule | null>(null);
  const open = async (): Promise<void> => {
    const now = await api.getRule({ project, rule: rule.id });
    resource.set(now);
    setTheirs(now);
  };
  const close = (): void => setTheirs(null);
  const dialog = theirs && (
    <ConflictDialog
      base={edit.base}
      mine={writtenIn(edit.editor) ?? edit.base}
      theirs={writtenOf(theirs)}
      onTake={(chosen: Written | 'mine') => {
        edit.rebase(chosen === 'mine' ? edit.editor : editRule(chosen), theirs);
        close();
        toast('Both versions are put together. Save the rule to keep it.');
      }}
      onClose={close}
    />
  );
  return { open, dialog };
}
