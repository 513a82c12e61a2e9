/** The history of the rule in the editor, with the keys that go back and forward in it. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useCommands } from '../../data/index.js';
import { announce } from '../../ui/index.js';
import type { Editor } from './model/editor.js';
import { type History, type Moved, NO_HISTORY, record, redo, replaced, undo } from './model/history.js';

export interface Edits {
  readonly change: (editor: Editor) => void;
  /** Null if there is nothing to undo. */
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
}

type Way = 'undo' | 'redo';

const MOVES = { undo, redo } as const;
const SAID = { undo: 'Undone', redo: 'Done again' } as const;

/**
 * @param root - Holds both views of the editor.
 * @param onChange - The function of the last render.
 */
export function useHistory(
  editor: Editor,
  root: RefObject<HTMLElement | null>,
  onChange: (editor: Editor) => void,
): Edits {
  const [history, show] = useState(NO_HISTORY);
  const latest = useRef(history);
  const keep = (next: History): void => {
    latest.current = next;
    show(next);
  };
  /** The editor that the page has, at once after each change. */
  const now = useRef(editor);
  const own = useRef(new WeakSet<Editor>()).current;
  useEffect(() => {
    // More may have been typed since this was rendered.
    if (now.current === editor || own.has(editor)) return;
    keep(replaced(latest.current, now.current, editor));
    now.current = editor;
  }, [editor]);
  const put = (next: Editor): void => {
    own.add(next);
    now.current = next;
    onChange(next);
  };
  const move = (way: Way): void => {
    const moved: Moved | null = MOVES[way](latest.current, now.current);
    if (moved === null) return;
    keep(moved.history);
    put(moved.editor);
    announce(SAID[way]);
    keepFocus(root);
  };
  useUndoKeys(root, move);
  useCommands([
    { text: 'Undo the last edit of the rule', group: 'Rule', run: () => move('undo') },
    { text: 'Redo the last edit of the rule', group: 'Rule', run: () => move('redo') },
  ]);
  return {
    change(next) {
      const before = now.current;
      // Another view of the rule is not an edit.
      if (next.view === before.view) keep(record(latest.current, before, next, performance.now()));
      put(next);
    },
    undo: history.past.length === 0 ? null : () => move('undo'),
    redo: history.future.length === 0 ? null : () => move('redo'),
  };
}

/** The field with the focus may be gone with what was undone. */
function keepFocus(root: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body || activeElement.matches(':disabled')) {
      root.current?.querySelector<HTMLElement>('[role=tabpanel]')?.focus();
    }
  });
}

/** Goes before what browsers and the JSON editor would do: each of them knows only its own field. */
function useUndoKeys(root: RefObject<HTMLElement | null>, move: (way: Way) => void): void {
  const latest = useRef(move);
  latest.current = move;
  useEffect(() => {
    const take = (event: KeyboardEvent | InputEvent): void => {
      const way = event instanceof KeyboardEvent ? wayOfKey(event) : wayOfInput(event);
      if (way === null || isElsewhere(event, root.current)) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current(way);
    };
    document.addEventListener('keydown', take, true);
    document.addEventListener('beforeinput', take, true);
    return () => {
      document.removeEventListener('keydown', take, true);
      document.removeEventListener('beforeinput', take, true);
    };
  }, [root]);
}

function wayOfKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): Way | null {
  if (ctrlKey === metaKey || altKey) return null;
  if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo';
  return key.toLowerCase() === 'y' && ctrlKey ? 'redo' : null;
}

const wayOfInput = ({ inputType }: InputEvent): Way | null =>
  inputType === 'historyUndo' ? 'undo' : inputType === 'historyRedo' ? 'redo' : null;

/** Whether something is being written that is not part of the rule, such as a search or samples for a pattern. */
function isElsewhere({ target }: Event, root: HTMLElement | null): boolean {
  if (document.querySelector('dialog[open]') !== null || root === null) return true;
  if (!(target instanceof Element)) return false;
  const isField = target.matches('input, textarea, select');
  return isField && (!root.contains(target) || target.closest('[type=search], [data-own-undo]') !== null);
}
