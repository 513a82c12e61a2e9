/** Undo and redo: every earlier state comes back, every later one too, and what is kept is bounded. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changeForm,
  changeText,
  type Editor,
  editForm,
  editRule,
  isSameRule,
  showBuilder,
  showJson,
} from '../../../dashboard/parts/rule-editor/model/editor.js';
import {
  type History,
  MOST_STEPS,
  MOST_UNITS,
  NO_HISTORY,
  PAUSE_MS,
  record,
  redo,
  replaced,
  undo,
} from '../../../dashboard/parts/rule-editor/model/history.js';
import { addOp, newOp } from '../../../dashboard/parts/rule-editor/model/action-form.js';

/** An edit as a person makes it, or a change of the view, which is not an edit. */
type Deed = (editor: Editor) => Editor;

const inBuilder =
  (change: Deed): Deed =>
  (editor) => {
    const shown = editor.view === 'builder' ? editor : showBuilder(editor);
    return 'why' in shown ? editor : change(shown);
  };

const deeds: fc.Arbitrary<Deed> = fc.oneof(
  fc.string().map((name) => inBuilder((editor) => changeForm(editor, { name }))),
  fc.string().map((description) => inBuilder((editor) => changeForm(editor, { description }))),
  fc.integer().map((priority) => inBuilder((editor) => changeForm(editor, { priority: String(priority) }))),
  fc.constant(
    inBuilder((editor) => {
      const { action } = editor.form;
      if (action.kind === 'source') return editor;
      return changeForm(editor, { action: { kind: 'form', form: addOp(action.form, newOp('trim')) } });
    }),
  ),
  fc.string({ maxLength: 3 }).map((typed): Deed => (editor) => {
    const shown = showJson(editor);
    return changeText(shown, `${shown.text.slice(0, -1)}${typed}}`);
  }),
  fc.constant<Deed>(showJson),
  fc.constant(inBuilder((editor) => editor)),
);

/** Acts as a page does: a view is changed, and only an edit is recorded. */
function perform(history: History, before: Editor, after: Editor, at: number): History {
  const shown = after.view === before.view ? before : inViewOf(before, after);
  return isSameRule(shown, after) ? history : record(history, shown, after, at);
}

function inViewOf(editor: Editor, { view }: Editor): Editor {
  const shown = view === 'json' ? showJson(editor) : showBuilder(editor);
  return 'why' in shown ? editor : shown;
}

const first = editRule({
  name: 'First',
  match: { path: 'data.a', op: 'exists' },
  action: { type: 'transform', ops: [] },
  priority: 1,
});

describe('after any edits', () => {
  test('undo gives back each earlier state, and redo each later one', () => {
    fc.assert(
      fc.property(fc.array(deeds, { maxLength: 30 }), fc.nat(30), (all, backs) => {
        let [history, now] = [NO_HISTORY, first];
        const states = [first];
        for (const [nth, deed] of all.entries()) {
          const next = deed(now);
          history = perform(history, now, next, nth * 2 * PAUSE_MS);
          if (!isSameRule(now, next)) states.push(next);
          now = next;
        }
        const steps = Math.min(backs, states.length - 1);
        for (let back = 1; back <= steps; back++) {
          const moved = undo(history, now)!;
          expect(isSameRule(moved.editor, states.at(-1 - back)!)).toBe(true);
          [history, now] = [moved.history, moved.editor];
        }
        if (steps === states.length - 1) expect(undo(history, now)).toBeNull();
        for (let back = steps - 1; back >= 0; back--) {
          const moved = redo(history, now)!;
          expect(isSameRule(moved.editor, states.at(-1 - back)!)).toBe(true);
          [history, now] = [moved.history, moved.editor];
        }
        expect(redo(history, now)).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  test('undo and then redo leads back, in the view of now if that can show the state', () => {
    fc.assert(
      fc.property(fc.array(deeds, { minLength: 1, maxLength: 12 }), fc.boolean(), (all, asJson) => {
        let [history, now] = [NO_HISTORY, first];
        for (const [nth, deed] of all.entries()) {
          const next = deed(now);
          history = perform(history, now, next, nth * 2 * PAUSE_MS);
          now = next;
        }
        if (asJson) now = showJson(now);
        const back = undo(history, now);
        if (back === null) return;
        if (now.view === 'json') expect(back.editor.view).toBe('json');
        const again = redo(back.history, back.editor)!;
        expect(isSameRule(again.editor, now)).toBe(true);
      }),
    );
  });

  test('an edit after an undo takes away what was undone', () => {
    const one = changeForm(first, { name: 'One' });
    const back = undo(record(NO_HISTORY, first, one, 0), one)!;
    const other = changeForm(back.editor, { name: 'Other' });
    const history = record(back.history, back.editor, other, 1);
    expect(redo(history, other)).toBeNull();
    expect(undo(history, other)!.editor.form.name).toBe('First');
  });
});

describe('typing', () => {
  /** Types a text, a letter every so often. */
  function typed(text: string, everyMs: number, type: (editor: Editor, letters: string) => Editor) {
    let [history, now] = [NO_HISTORY, type === json ? showJson(first) : first];
    for (let length = 1; length <= text.length; length++) {
      const next = type(now, text.slice(0, length));
      history = record(history, now, next, length * everyMs);
      now = next;
    }
    return { history, now };
  }
  const name = (editor: Editor, text: string): Editor => changeForm(editor, { name: text });
  const description = (editor: Editor, text: string): Editor => changeForm(editor, { description: text });
  const json = (editor: Editor, text: string): Editor =>
    changeText(editor, `${showJson(first).text} ${text}`);

  test.for([
    { what: 'a name', everyMs: 100, type: name, steps: 1 },
    { what: 'a name with pauses', everyMs: PAUSE_MS, type: name, steps: 5 },
    { what: 'a description, which brings its member', everyMs: 100, type: description, steps: 1 },
    { what: 'JSON', everyMs: 100, type: json, steps: 1 },
  ])('$what, a letter every $everyMs ms: $steps edits', ({ everyMs, type, steps }) => {
    let { history, now } = typed('hello', everyMs, type);
    expect(history.past).toHaveLength(steps);
    for (let nth = 0; nth < steps; nth++) ({ history, editor: now } = undo(history, now)!);
    expect(undo(history, now)).toBeNull();
  });

  test('in two fields is two edits, and choosing is never one with typing', () => {
    const one = changeForm(first, { name: 'One' });
    const two = changeForm(one, { priority: '2' });
    const three = changeForm(two, { action: { kind: 'form', form: { ...formOf(two), type: 'drop' } } });
    let history = record(NO_HISTORY, first, one, 1);
    history = record(history, one, two, 2);
    history = record(history, two, three, 3);
    expect(history.past).toHaveLength(3);
    expect(undo(history, three)!.editor).toEqual(two);
  });

  const formOf = (editor: Editor) => {
    const { action } = editor.form;
    if (action.kind === 'source') throw new Error(action.why);
    return action.form;
  };
});

describe('a rule that was replaced from elsewhere', () => {
  test('is an edit if it differs, and none if it was only read again', () => {
    const edited = changeForm(first, { name: 'Edited' });
    const history = record(NO_HISTORY, first, edited, 0);
    const saved = editRule({
      name: 'Edited',
      match: { path: 'data.a', op: 'exists' },
      action: { type: 'transform', ops: [] },
      priority: 1,
    });
    expect(saved.form).not.toBe(edited.form);
    expect(replaced(history, edited, saved)).toBe(history);
    const discarded = replaced(history, edited, first);
    expect(undo(discarded, first)!.editor).toBe(edited);
    // Typing after that is an edit of its own.
    const more = changeForm(first, { name: 'Firs' });
    expect(record(discarded, first, more, 1).past).toHaveLength(3);
  });
});

describe('what is kept', () => {
  test(`is at most ${MOST_STEPS} states, the newest`, () => {
    let [history, now]: [History, Editor] = [NO_HISTORY, editForm()];
    for (let nth = 0; nth < MOST_STEPS + 50; nth++) {
      const next = changeForm(now, { name: String(nth) });
      history = record(history, now, next, nth * PAUSE_MS);
      now = next;
    }
    expect(history.past).toHaveLength(MOST_STEPS);
    expect(undo(history, now)!.editor.form.name).toBe(String(MOST_STEPS + 48));
  });

  test(`is at most ${MOST_UNITS} UTF-16 units, however large a text is`, () => {
    let [history, now]: [History, Editor] = [NO_HISTORY, showJson(editForm())];
    for (let nth = 0; nth < 20; nth++) {
      const next = changeText(now, `${nth}${' '.repeat(1_000_000)}`);
      history = record(history, now, next, nth * PAUSE_MS);
      now = next;
    }
    expect(history.past.length).toBe(4);
    for (let nth = 0; nth < 4; nth++) {
      const moved = undo(history, now)!;
      [history, now] = [moved.history, moved.editor];
    }
    expect(history.future.length).toBe(4);
  });

  test('counts what two states share once', () => {
    const long = editRule({
      name: 'Long',
      match: { path: 'data.a', op: 'in', value: Array.from({ length: 100_000 }, (_, i) => `value ${i}`) },
      action: { type: 'drop' },
      priority: 1,
    });
    let [history, now]: [History, Editor] = [NO_HISTORY, long];
    for (let nth = 0; nth < 100; nth++) {
      const next = changeForm(now, { name: `Long ${nth}` });
      history = record(history, now, next, nth * PAUSE_MS);
      now = next;
    }
    expect(history.past).toHaveLength(100);
  });
});
