/** The context in half-written JSON at which somebody types: inside which members, at a name or at a value. */

/** A container around the position. */
export interface Frame {
  readonly type: 'object' | 'array';
  /** Members that are whole, before and after the position; scalars as JSON text, containers as their bracket. */
  readonly members: ReadonlyMap<string, string>;
}

/** The context at which somebody types. */
export interface TextContext {
  /** The containers, outermost first. */
  readonly frames: readonly Frame[];
  /** Names and indexes that lead to the position, one for each frame; the last is null at a name. */
  readonly path: readonly (string | number | null)[];
  readonly at: 'name' | 'value';
  /** Start and end of the word at the position, in UTF-16 units of the text; the same if there is no word. */
  readonly from: number;
  readonly to: number;
  /** The name that is typed there so far; null at a value and where there is nothing. */
  readonly name: string | null;
}

type OpenFrame = Frame & {
  readonly members: Map<string, string>;
  /** The member or element that is being read. */
  key: string | number | null;
  expects: 'name' | 'colon' | 'value' | 'comma';
};

/** Text that is not closed ends with its line. */
const TOKEN = /[{}[\],:]|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|[^\s{}[\],:"]+/g;

/** Reads a text of any kind once; null at a position where neither a name nor a value can be. */
export function contextAt(text: string, position: number): TextContext | null {
  const stack: OpenFrame[] = [];
  let context: TextContext | null | undefined;
  for (const token of text.matchAll(TOKEN)) {
    const [word] = token;
    const end = token.index + word.length;
    if (context === undefined && end >= position) {
      if (token.index >= position) context = here(stack, position, '');
      else if (isIn(word, position - token.index)) context = here(stack, token.index, word);
    }
    read(stack, word);
  }
  return context === undefined ? here(stack, position, '') : context;
}

/** Whether a position is in a word, or at the end of one that goes on. */
function isIn(word: string, position: number): boolean {
  if (/^[{}[\],:]/.test(word)) return false;
  const isClosed = word.startsWith('"') && word.length > 1 && word.endsWith('"');
  return isClosed ? position < word.length : true;
}

function here(stack: readonly OpenFrame[], from: number, word: string): TextContext | null {
  const inner = stack.at(-1);
  const expects = inner?.expects ?? 'value';
  if (expects === 'colon' || expects === 'comma') return null;
  const path = stack.map(({ key }) => key);
  if (expects === 'name') path[path.length - 1] = null;
  const name = expects === 'name' && word !== '' ? nameOf(word) : null;
  return { frames: [...stack], path, at: expects, from, to: from + word.length, name };
}

function read(stack: OpenFrame[], word: string): void {
  const frame = stack.at(-1);
  switch (word) {
    case '{':
    case '[':
      if (frame !== undefined) ended(frame, word);
      stack.push(
        word === '{'
          ? { type: 'object', members: new Map(), key: null, expects: 'name' }
          : { type: 'array', members: new Map(), key: 0, expects: 'value' },
      );
      return;
    case '}':
    case ']':
      stack.pop();
      return;
    case ':':
      if (frame?.type === 'object') frame.expects = 'value';
      return;
    case ',':
      if (frame !== undefined) next(frame);
      return;
    default:
      if (frame !== undefined) readWord(frame, word);
  }
}

function readWord(frame: OpenFrame, word: string): void {
  if (frame.expects === 'name') {
    frame.key = nameOf(word);
    frame.expects = 'colon';
  } else if (frame.expects === 'value') {
    ended(frame, word);
  }
}

/** Notes the member that has been read. */
function ended(frame: OpenFrame, value: string): void {
  if (frame.type === 'object') frame.members.set(String(frame.key), value);
  frame.expects = 'comma';
}

function next(frame: OpenFrame): void {
  frame.expects = frame.type === 'object' ? 'name' : 'value';
  frame.key = typeof frame.key === 'number' ? frame.key + 1 : null;
}

function nameOf(word: string): string {
  try {
    return JSON.parse(word) as string;
  } catch {
    return word.replaceAll('"', '');
  }
}
