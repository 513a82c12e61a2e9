/**
 * The JSON editor itself: CodeMirror in a shadow root, since only there do its styles go through the strict CSP. Loaded
 * when it is opened.
 */
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  type Completion as Entry,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, Transaction } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { UNSEEN, visible } from '../../words/visible.js';
import { completionAt, type Known, type Suggestion } from './model/completion.js';
import type { TextFault } from './model/faults.js';
import { lettersIn } from './model/paths.js';

/** How the editor begins, and whom it tells. */
export interface JsonViewOptions {
  /** The name for screen readers. */
  readonly label: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  /** Whether it undoes what is typed in it; false if the page does, together with what is changed elsewhere. */
  readonly hasHistory: boolean;
  readonly onChange: (text: string) => void;
  /** Gives the current facts for completion; undefined if there are none. */
  readonly known: () => Known | undefined;
}

/** An editor in the page. Made when its element is there; `end` it when that goes. */
export interface JsonView {
  /** Replaces the text, unless it is the same. */
  readonly setText: (text: string) => void;
  /** Marks ranges; those of an older text are left out. */
  readonly setFaults: (faults: readonly TextFault[]) => void;
  /** Goes to a position. */
  readonly reveal: (from: number, to: number) => void;
  readonly end: () => void;
}

/** Characters that are invisible, as the rest of the page shows them. */
const WRITTEN_OUT = highlightSpecialChars({
  addSpecialChars: UNSEEN,
  render(code, description) {
    const shown = document.createElement('span');
    shown.textContent = visible(String.fromCodePoint(code));
    shown.title = description ?? '';
    shown.className = 'cm-specialChar';
    return shown;
  },
});

/** Colours come from the tokens of the page, which a shadow root inherits, so that they follow the theme. */
const THEME = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--raised)', fontSize: 'var(--size-s)', height: '100%' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', maxHeight: '70vh' },
  '.cm-content, .cm-gutter': { minHeight: '340px' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--ink) 4%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 22%, transparent)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shadow)',
    maxWidth: 'min(560px, calc(100vw - 32px))',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '240px' },
  '.cm-tooltip-autocomplete ul li': {
    padding: '3px 8px',
    display: 'flex',
    gap: '16px',
    justifyContent: 'space-between',
  },
  '.cm-tooltip.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--chosen)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': {
    color: 'var(--soft)',
    fontStyle: 'normal',
    maxWidth: '260px',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  // The marks of the package are images in the style sheet, which the CSP forbids.
  '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy', textUnderlineOffset: '3px' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecorationColor: 'var(--bad)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecorationColor: 'var(--warn)' },
  '.cm-lintPoint::after': { borderBottomColor: 'var(--bad)' },
  '.cm-diagnostic': { fontFamily: 'var(--font)', padding: '6px 10px', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
});

const COLOURS = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.propertyName, color: 'var(--accent)' },
    { tag: tags.string, color: 'light-dark(#0b6b5b, #7ad1bd)' },
    { tag: tags.number, color: 'light-dark(#9a3b00, #f0a878)' },
    { tag: [tags.bool, tags.null], color: 'light-dark(#7030b8, #c8a4f5)' },
  ]),
);

/** Parsing a longer text for its colours takes longer than a keystroke may. */
const MOST_COLOURED = 262_144;

/** Makes an editor in an element, which must be empty. */
export function openJsonView(host: HTMLElement, options: JsonViewOptions): JsonView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  const parent = document.createElement('div');
  root.append(parent);
  const view = new EditorView({ parent, root, state: stateOf(options) });
  return {
    setText: (text) => replaceText(view, text),
    setFaults(faults) {
      const end = view.state.doc.length;
      const inside = faults.filter(({ to }) => to <= end);
      view.dispatch(
        setDiagnostics(
          view.state,
          inside.map(({ from, to, severity, message }) => ({ from, to, severity, message })),
        ),
      );
    },
    reveal(from, to) {
      view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
      view.focus();
    },
    end: () => view.destroy(),
  };
}

function stateOf({ label, text, isReadOnly, hasHistory, onChange, known }: JsonViewOptions): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      ...[lineNumbers(), drawSelection(), bracketMatching(), closeBrackets(), WRITTEN_OUT],
      ...(hasHistory ? [history(), keymap.of(historyKeymap)] : []),
      ...[indentOnInput(), indentUnit.of('  '), highlightActiveLine(), THEME],
      ...(text.length > MOST_COLOURED ? [] : [json(), COLOURS]),
      EditorView.lineWrapping,
      EditorState.readOnly.of(isReadOnly),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
      autocompletion({
        override: [(context) => complete(context, known())],
        icons: false,
        aboveCursor: false,
      }),
      // Escape and then Tab leaves the editor, as the view itself sees to.
      keymap.of([
        { key: 'Tab', run: acceptCompletion },
        ...[...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...defaultKeymap],
        indentWithTab,
      ]),
      EditorView.domEventHandlers({ beforeinput: typeOverSelection }),
      EditorView.updateListener.of(({ docChanged, transactions, state }) => {
        const isOwn = transactions.some((one) => one.annotation(Transaction.remote) === true);
        if (docChanged && !isOwn) onChange(state.doc.toString());
      }),
    ],
  });
}

/**
 * Replaces what is selected by what is typed. The browser, left alone, would keep the style of the text that goes in an
 * inline style, which the CSP forbids.
 */
function typeOverSelection(event: InputEvent, view: EditorView): boolean {
  const { inputType, data, isComposing } = event;
  const { from, to, empty } = view.state.selection.main;
  if (inputType !== 'insertText' || data === null || isComposing || empty) return false;
  event.preventDefault();
  const typed = (): Transaction =>
    view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  const isHandled = view.state
    .facet(EditorView.inputHandler)
    .some((handle) => handle(view, from, to, data, typed));
  if (!isHandled) view.dispatch(typed());
  return true;
}

/** Replaces the part that differs, and puts the cursor behind it if the view has the focus. */
function replaceText(view: EditorView, text: string): void {
  const now = view.state.doc.toString();
  if (now === text) return;
  const most = Math.min(now.length, text.length);
  let start = 0;
  while (start < most && now[start] === text[start]) start++;
  let end = 0;
  while (end < most - start && now.at(-1 - end) === text.at(-1 - end)) end++;
  const insert = text.slice(start, text.length - end);
  view.dispatch({
    changes: { from: start, to: now.length - end, insert },
    ...(view.hasFocus && { selection: { anchor: start + insert.length }, scrollIntoView: true }),
    annotations: Transaction.remote.of(true),
  });
}

function complete(
  { state, pos, explicit }: CompletionContext,
  known: Known | undefined,
): CompletionResult | null {
  if (known === undefined) return null;
  const text = state.doc.toString();
  const found = completionAt(text, pos, known);
  if (found === null) return null;
  const typed = text.slice(found.from, pos).replace(/^"/, '').toLowerCase();
  // Nobody asked, and nothing was begun: a list would be in the way.
  if (!explicit && found.from === pos) return null;
  const options = found.suggestions
    .filter(({ label }) => lettersIn(label.replaceAll('"', '').toLowerCase(), typed) !== null)
    .map((suggestion, index) => entryOf(suggestion, -index));
  return options.length === 0 ? null : { from: found.from, to: found.to, options, filter: false };
}

function entryOf({ label, detail, insert, cursor = insert.length }: Suggestion, boost: number): Entry {
  return {
    label,
    detail,
    boost,
    apply(view, _, from, to) {
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + cursor },
        userEvent: 'input.complete',
        scrollIntoView: true,
      });
      // Inside a begun value there is the next thing to choose.
      if (cursor < insert.length) startCompletion(view);
    },
  };
}
