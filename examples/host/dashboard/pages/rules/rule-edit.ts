/** The edit of a saved rule: it survives a reload, and knows the saved rule and the version from which it began. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { useDraft } from '../../data/index.js';
import { type Editor, editRule, printed, showJson, type Written } from '../../parts/rule-editor/index.js';
import type { ShownRule } from './all-rules.js';

export interface RuleEdit {
  readonly editor: Editor;
  /** The saved rule from which the edit began. */
  readonly base: Written;
  readonly version: number;
  /** Whether something is written that is not saved. */
  readonly isDirty: boolean;
  /** Whether somebody else saved the rule after the edit began. */
  readonly isCrossed: boolean;
  readonly change: (editor: Editor) => void;
  /** Goes on from another saved rule. */
  readonly rebase: (editor: Editor, saved: ShownRule) => void;
  /**
   * The rule was saved with this edit. Returns false if more was written meanwhile, which is then an edit of what was
   * saved.
   */
  readonly settle: (saved: ShownRule) => boolean;
  /** The rule has a new version, in which nothing of the edit was changed. */
  readonly keepUp: (saved: ShownRule) => void;
  readonly discard: () => void;
}

type Unsaved = Pick<RuleEdit, 'editor' | 'base' | 'version'>;

export const writtenOf = ({ name, description, match, action, priority }: ShownRule): Written => ({
  name,
  ...(description !== undefined && { description }),
  ...{ match, action, priority },
});

/** The rule as it is in the editor; null for a text that is not JSON, or is a scalar. */
export function writtenIn(editor: Editor): Written | null {
  try {
    const rule = JSON.parse(printed(editor).text) as unknown;
    return typeof rule === 'object' && rule !== null ? rule : null;
  } catch {
    return null;
  }
}

export function useRuleEdit(project: string, rule: ShownRule): RuleEdit {
  const saved = useMemo(() => editRule(rule), [rule]);
  /** The view of what is saved, shown while nothing is written. */
  const [view, setView] = useState<Editor['view']>('builder');
  const unchanged = useMemo(() => (view === 'json' ? showJson(saved) : saved), [saved, view]);
  const draft = useDraft<Unsaved | null>(`edit of rule ${project} ${rule.id}`, null);
  const latest = useRef(draft.value);
  latest.current = draft.value;
  const { editor, base, version } = draft.value ?? {
    editor: unchanged,
    base: writtenOf(rule),
    version: rule.version,
  };
  const isDirty = draft.value !== null;
  const isCrossed = isDirty && rule.version !== version;

  /** Nothing is written any more; the view stays. */
  const end = (shown: Editor['view']): void => {
    draft.clear();
    setView(shown);
  };
  const rebase: RuleEdit['rebase'] = (next, on) =>
    draft.set({ editor: next, base: writtenOf(on), version: on.version });
  return {
    ...{ editor, base, version, isDirty, isCrossed, rebase },
    change(next) {
      // Another view of what is saved is not a change, and neither is what undo leads back to.
      const isText = next.newer === 'text';
      const isSaved =
        saved.newer === 'text' ? isText && next.text === saved.text : !isText && next.form === saved.form;
      if (isSaved) end(next.view);
      else draft.set({ editor: next, base, version });
    },
    settle(answer) {
      const now = latest.current;
      const isMore = now !== null && printed(now.editor).text !== printed(editor).text;
      if (isMore) rebase(now.editor, answer);
      else end((now?.editor ?? editor).view);
      return !isMore;
    },
    keepUp(answer) {
      if (draft.value !== null && !isCrossed) draft.set({ ...draft.value, version: answer.version });
    },
    discard: () => end(editor.view),
  };
}
