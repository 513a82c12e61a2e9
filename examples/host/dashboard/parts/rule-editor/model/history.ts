/** Undo and redo: the states that a rule had, in whichever view each was written. Pure; bounded in number and size. */
import { type Editor, isSameRule, showBuilder, showJson } from './editor.js';

/** A state to go back or forward to. */
interface Step {
  readonly editor: Editor;
  /** UTF-16 units of it that the state beside it does not share. */
  readonly units: number;
}

/** The edits of one editor. The nearest state is the last of each list. */
export interface History {
  readonly past: readonly Step[];
  readonly future: readonly Step[];
  /** The field in which the last edit was typed; null after any other edit. */
  readonly field: string | null;
  /** When that was, in milliseconds of any clock. */
  readonly at: number;
}

/** Nothing was edited yet. */
export const NO_HISTORY: History = { past: [], future: [], field: null, at: 0 };

/** Most states in each direction, and most UTF-16 units of them together. */
export const MOST_STEPS = 200;
export const MOST_UNITS = 4_194_304;
/** Typing in one field is one edit until it pauses for this long. */
export const PAUSE_MS = 1_000;

/** Members of a form that hold what somebody types. */
const TYPED = ['name', 'description', 'priority', 'path', 'text', 'regex', 'replace'];

/** The history after an edit. What was undone before it is gone. */
export function record(history: History, before: Editor, after: Editor, at: number): History {
  const field = typedField(before, after);
  const goesOn = field !== null && field === history.field && at - history.at < PAUSE_MS;
  const past = goesOn ? history.past : bounded([...history.past, stepOf(before, after)]);
  return { past, future: [], field, at };
}

/** A history with the state to show. */
export interface Moved {
  readonly history: History;
  readonly editor: Editor;
}

/** The state before the last edit, in the view of now if that can show it; null if there is none. */
export function undo({ past, future }: History, now: Editor): Moved | null {
  const last = past.at(-1);
  if (last === undefined) return null;
  const back = bounded([...future, stepOf(now, last.editor)]);
  return {
    history: { ...NO_HISTORY, past: past.slice(0, -1), future: back },
    editor: seenIn(now, last.editor),
  };
}

/** The state after the edit that was undone last; null if none was. */
export function redo({ past, future }: History, now: Editor): Moved | null {
  const next = future.at(-1);
  if (next === undefined) return null;
  const behind = bounded([...past, stepOf(now, next.editor)]);
  return {
    history: { ...NO_HISTORY, past: behind, future: future.slice(0, -1) },
    editor: seenIn(now, next.editor),
  };
}

/** The history after the rule was replaced from elsewhere: saved, discarded, or put together with another version. */
export const replaced = (history: History, before: Editor, after: Editor): History =>
  isSameRule(before, after)
    ? history
    : { ...record({ ...history, field: null }, before, after, history.at), field: null };

function seenIn({ view }: Editor, editor: Editor): Editor {
  if (editor.view === view) return editor;
  const shown = view === 'json' ? showJson(editor) : showBuilder(editor);
  return 'why' in shown ? editor : shown;
}

const stepOf = (editor: Editor, beside: Editor): Step => ({ editor, units: unshared(editor, beside) });

/** The last steps, as many as may be kept. */
function bounded(steps: readonly Step[]): readonly Step[] {
  let units = 0;
  const from = steps.findLastIndex((step, index) => {
    units += step.units;
    return steps.length - index > MOST_STEPS || units > MOST_UNITS;
  });
  return from === -1 ? steps : steps.slice(from + 1);
}

/** States are never changed, so what two of them share is one object. Forms are about as deep as a match may be. */
function unshared(value: unknown, beside: unknown): number {
  if (value === beside) return 0;
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  const others = (beside ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(value).reduce((sum, [key, member]) => sum + unshared(member, others[key]), 1);
}

/** The one field whose text an edit has changed; null if it changed anything else. */
function typedField(before: Editor, after: Editor): string | null {
  if (before.view !== after.view) return null;
  if (after.newer === 'text') return 'text';
  const [field, ...others] = differences(before.form, after.form, '');
  return field === undefined || others.length > 0 || !TYPED.includes(field.split('/').at(-1) ?? '')
    ? null
    : field;
}

/** Pointers of the plain values that differ; the order of members follows from them. */
function differences(before: unknown, after: unknown, pointer: string): readonly string[] {
  if (before === after || pointer.endsWith('/keys')) return [];
  if (!isObject(before) || !isObject(after)) return [pointer];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => differences(before[key], after[key], `${pointer}/${key}`));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
