/** Checks the rule in the editor as it changes: at once, or for a long text as soon as typing pauses. */
import type { Rule } from 'headgate/slim';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Editor, printed } from './model/editor.js';
import { type Findings, findingsIn, findingsInParts, NO_FINDINGS } from './model/faults.js';
import type { FormFault } from './model/form.js';
import { findingsOfLong, hasLongList } from './model/outline.js';

/** The findings about the rule in the editor. */
export interface Checked extends Findings {
  /** Fields of the builder that are empty or half-written. */
  readonly blanks: readonly FormFault[];
  /**
   * The findings about the rule as it is now: while somebody types in a long text, those above are about an older one.
   */
  readonly latest: () => Promise<Findings>;
}

/** Reading a longer text takes longer than a keystroke may. */
const MOST_AT_ONCE = 65_536;
const PAUSE_MS = 300;

/** The findings that can be given at once, or the text that has to be read for them. */
type Now =
  | { readonly findings: Findings; readonly blanks: readonly FormFault[] }
  | { readonly text: string; readonly blanks: readonly FormFault[] };

/** @param drops - The project's drops, for lint. */
export function useChecked(editor: Editor, drops: readonly Rule[]): Checked {
  const now = useMemo(
    () => checkedNow(editor, drops),
    [editor.form, editor.text, editor.newer, editor.view, drops],
  );
  const text = 'text' in now ? now.text : null;
  const [late, setLate] = useState(NO_FINDINGS);
  useEffect(() => {
    if (text === null) return undefined;
    let isOver = false;
    const timer = setTimeout(() => {
      void findingsInParts(text, drops, nextTask).then((found) => {
        if (!isOver) setLate(found);
      });
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text, drops]);
  const findings = 'findings' in now ? now.findings : late;
  const latest = (): Promise<Findings> =>
    text === null ? Promise.resolve(findings) : findingsInParts(text, drops, nextTask);
  return { ...findings, blanks: now.blanks, latest };
}

function checkedNow(editor: Editor, drops: readonly Rule[]): Now {
  const { view, form, newer } = editor;
  if (view === 'builder' && newer !== 'text' && hasLongList(form)) {
    const { blanks, ...findings } = findingsOfLong(form);
    return { findings, blanks };
  }
  const { text: compact, faults: blanks } = printed(editor);
  const text = view === 'json' ? editor.text : compact;
  return text.length > MOST_AT_ONCE ? { text, blanks } : { findings: findingsIn(text, drops), blanks };
}

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
