/** Recognizes valid paths in the notation of another system. A guess: an event may have a key of such a name. */
import { STAR, escapeKey, parsePath } from '../path.js';

/** The oddity of a path. */
export interface OddPath {
  /** A clause, such as `an event has no field body`. */
  readonly why: string;
  /** The path that may be meant; `null` if none can be told. */
  readonly instead: string | null;
}

/** The fields of an event. */
const FIELDS = ['id', 'type', 'topic', 'channel', 'data', 'raw_payload', 'status', 'tags', 'received_at'];

/** Fields of an event in other systems, each with its path here. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  body: ['data', 'body'],
  payload: ['data', 'body'],
  headers: ['data', 'headers'],
  event: [],
};

/** Keys that stand for some of many elsewhere: `**`, `#(…)`, `a[?`, `a[0:2]`. */
const MANY = /^\*\*$|^#\(|\[\?|\[-?\d*:-?\d*\]$/;

/** Signs for every element in other systems: `a[]`, `a[*]`, and `#` as a key. */
const EVERY = /(?<=[^.[\]])\[\*?\](?=[.[]|$)|(?<=^|\.)#(?=\.|$)/g;

/** A key that ends inside the brackets of an index. */
const UNCLOSED = /[^[\]]\[\d*$/;

/** A path in the braces of a template: `{{data.a}}`, `${data.a}`. */
const TEMPLATE = /^(?:[$#]?\{|\{\{)([^{}]+)\}\}?$/;

/** The oddity of a path that can be parsed; `null` without one. */
export function oddPath(path: string): OddPath | null {
  const inner = TEMPLATE.exec(path)?.[1]?.trim();
  if (inner !== undefined) {
    const instead = oddPath(inner)?.instead ?? dottedOrNull(keysOf(inner));
    return { why: 'write a path without braces', instead };
  }
  const keys = keysOf(path);
  if (keys.some((key) => MANY.test(key))) {
    return { why: 'only * stands for many values, which are all elements of an array', instead: null };
  }
  const starred = path.replace(EVERY, (every) => (every === '#' ? STAR.key : `.${STAR.key}`));
  if (starred !== path) {
    return { why: '* stands for every element', instead: oddPath(starred)?.instead ?? starred };
  }
  if (keys.some((key) => UNCLOSED.test(key))) return { why: 'nothing closes the bracket', instead: null };
  return oddWriting(path, keys);
}

function oddWriting(path: string, written: readonly string[]): OddPath | null {
  const keys = translated(path, written);
  const [head = '', ...below] = keys ?? written;
  const moved = movedPath(head, below);
  if (moved !== null) return { why: `an event has no field ${head}`, instead: dotted([...moved, ...below]) };
  return keys === null ? null : { why: 'a path is keys joined by dots', instead: dottedOrNull(keys) };
}

function keysOf(path: string): readonly string[] {
  const parsed = parsePath(path);
  return typeof parsed === 'string' ? [] : parsed.map(({ key }) => key);
}

const dottedOrNull = (keys: readonly string[]): string | null => (keys.length === 0 ? null : dotted(keys));

const dotted = (keys: readonly string[]): string =>
  keys.map((key) => (key === STAR.key ? key : escapeKey(key))).join('.');

/** The keys of a path in JSONPath, JSON Pointer, variable, arrow or bracket notation; `null` for any other. */
function translated(path: string, keys: readonly string[]): readonly string[] | null {
  const [head = ''] = keys;
  if (head.startsWith('/') || FIELDS.some((field) => head.startsWith(`${field}/`))) {
    const tokens = path.split('/').filter((token) => token !== '');
    return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  const isRooted = /^[$@](?:\[|$)/.test(head);
  const isForeign =
    isRooted || FOREIGN.some((sign) => sign.test(path)) || keys.some((key) => INDEXED.test(key));
  if (!isForeign) return null;
  const steps = Array.from(
    path.matchAll(STEP),
    ([step, inBrackets, inQuotes]) => inBrackets ?? inQuotes ?? step,
  );
  if (isRooted) return steps.slice(1);
  const [first = '', ...rest] = steps;
  return [first.replace(/^[$@]|\?$/g, ''), ...rest];
}

/** Signs of other languages in a path. Beside a name that no event has, a key may have nearly any of them in it. */
const FOREIGN = [
  // A variable; `$type`, `$id` and `@type` are keys of JSON documents.
  /^[$@](?:data|raw_payload|event|body|payload|headers)(?:$|[.[?]|->)/,
  // Optional chaining.
  /^(?:data|raw_payload|event|channel|body|payload)\?\./,
  // The arrows of SQL and PHP.
  /^(?:data|raw_payload|event|channel|body|payload)->/,
  /->>|->'/,
  // A key in quotes and brackets, which may have dots in it.
  /[^.[\]]\[(?:'[^']*'|"[^"]*")\]/,
];

/** A key with an index or a quoted key in brackets after it. */
const INDEXED = /^[^[\]]*(?:\[(?:\d+|'[^']*'|"[^"]*")\])+$/;

/** One step of JSONPath or SQL: the content of brackets or quotes, or a key. */
const STEP = /\[['"]?([^'"\]]*)['"]?\]|->>?'([^']*)'|(?:(?!->)[^.[\]>]|(?<!->?)>)+/g;

/** The path at which a field of another system is found here; `null` for a field of an event, or of the host's own. */
function movedPath(head: string, below: readonly string[]): readonly string[] | null {
  if (FIELDS.includes(head)) return null;
  const field = FIELDS.find((name) => lettersOf(name) === lettersOf(head));
  if (field !== undefined) return [field];
  const isFieldOfEvent = head !== 'event' || FIELDS.includes(below[0] ?? '');
  return Object.hasOwn(ELSEWHERE, head) && isFieldOfEvent ? (ELSEWHERE[head] as readonly string[]) : null;
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '');
