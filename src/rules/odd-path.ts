/** Paths that are valid and look like another language. A guess: an event may have a key of such a name. */
import { escapeKey, parsePath } from './path.js';

/** What is odd about a path. */
export interface OddPath {
  /** A clause, such as `an event has no field body`. */
  readonly why: string;
  /** The path that may be meant; `null` where none can be told. */
  readonly instead: string | null;
}

/** The fields of an event. */
const FIELDS = ['id', 'type', 'channel', 'data', 'raw_payload', 'status', 'tags', 'received_at'];

/** Where the fields of an event are that others have: by what they are called there. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  body: ['data', 'body'],
  payload: ['data', 'body'],
  headers: ['data', 'headers'],
  event: [],
};

/** What is odd about a path that can be parsed; `null` where nothing is. */
export function oddPath(path: string): OddPath | null {
  const written = keysOf(path);
  if (written.some((key) => /^\*\*?$|\[\*?\]$/.test(key))) {
    return { why: 'a path names one place, and nothing stands for many', instead: null };
  }
  const keys = translated(path, written);
  const [head = '', ...below] = keys ?? written;
  const moved = placeOf(head, below);
  if (moved !== null) return { why: `an event has no field ${head}`, instead: dotted([...moved, ...below]) };
  if (keys === null) return null;
  return { why: 'a path is keys joined by dots', instead: keys.length === 0 ? null : dotted(keys) };
}

function keysOf(path: string): readonly string[] {
  const parsed = parsePath(path);
  return typeof parsed === 'string' ? [] : parsed.map(({ key }) => key);
}

const dotted = (keys: readonly string[]): string => keys.map(escapeKey).join('.');

/** The keys of JSONPath, of a JSON Pointer, or with an index in brackets; `null` for what is none of these. */
function translated(path: string, keys: readonly string[]): readonly string[] | null {
  const [head = ''] = keys;
  if (head.startsWith('/') || FIELDS.some((field) => head.startsWith(`${field}/`))) {
    const tokens = path.split('/').filter((token) => token !== '');
    return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  const isRooted = head === '$' || head.startsWith('$[');
  if (!isRooted && !keys.some((key) => INDEXED.test(key))) return null;
  const steps = Array.from(path.matchAll(STEP), ([step, inBrackets]) => inBrackets ?? step);
  return steps.slice(isRooted ? 1 : 0);
}

/** A key with an index or a quoted key in brackets after it. */
const INDEXED = /^[^[\]]*(?:\[(?:\d+|'[^']*'|"[^"]*")\])+$/;

/** One step of JSONPath: what stands in brackets, or a key. */
const STEP = /\[['"]?([^'"\]]*)['"]?\]|[^.[\]]+/g;

/** Where a field that no event has is found; `null` for a field of an event, or of the host's own. */
function placeOf(head: string, below: readonly string[]): readonly string[] | null {
  if (FIELDS.includes(head)) return null;
  const field = FIELDS.find((name) => lettersOf(name) === lettersOf(head));
  if (field !== undefined) return [field];
  const isFieldOfEvent = head !== 'event' || FIELDS.includes(below[0] ?? '');
  return Object.hasOwn(ELSEWHERE, head) && isFieldOfEvent ? (ELSEWHERE[head] as readonly string[]) : null;
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '');
