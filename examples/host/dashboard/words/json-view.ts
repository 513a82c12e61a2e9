/**
 * A JSON value as lines of text, for trees and for picking paths. Pure, and without recursion: a payload may be of any
 * depth.
 */
import { stringifyJson } from 'headgate/slim';

/**
 * A line. A container has a line where it opens and one where it closes, or a single one where it is closed or empty.
 */
export interface JsonLine {
  /** RFC 6901, from the value. It names the container of a closing line, too. */
  readonly pointer: string;
  /** Dotted, as rules write it, from the root that the caller names. */
  readonly path: string;
  readonly depth: number;
  readonly kind: 'open' | 'close' | 'closed' | 'value';
  /** The name of the member; null in an array, and for the root. */
  readonly key: string | null;
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  /** The JSON of a value, the bracket of a container. */
  readonly text: string;
  /** Members of a container. */
  readonly size: number;
  readonly isLast: boolean;
  readonly value: unknown;
}

/** A value that waits for its lines. */
type Pending = Omit<JsonLine, 'kind' | 'type' | 'text' | 'size'>;

export interface JsonViewOptions {
  /** The path of the value itself, such as `data`; empty for the event. */
  readonly root?: string;
  /** Pointers of containers that are shown in one line. */
  readonly closed?: ReadonlySet<string>;
  /** Lines at most. */
  readonly limit?: number;
  /** Numbers as they were written, by their pointers, where a double holds fewer digits. */
  readonly digits?: ReadonlyMap<string, string>;
}

const BRACKETS = { object: ['{', '}'], array: ['[', ']'] } as const;

/** The lines of a value, from its first one; `limit` of them at most. */
export function jsonLines(value: unknown, options: JsonViewOptions = {}): JsonLine[] {
  const { root = '', closed = new Set(), limit = Infinity, digits = new Map() } = options;
  const lines: JsonLine[] = [];
  const waiting: (Pending | JsonLine)[] = [
    { pointer: '', path: root, depth: 0, key: null, isLast: true, value },
  ];
  for (let next = waiting.pop(); next !== undefined && lines.length < limit; next = waiting.pop()) {
    if ('kind' in next) {
      lines.push(next);
      continue;
    }
    const line = lineOf(next, closed, digits);
    lines.push(line);
    if (line.kind !== 'open') continue;
    waiting.push({ ...line, kind: 'close', text: BRACKETS[line.type as 'object' | 'array'][1] });
    waiting.push(...membersOf(line).reverse());
  }
  return lines;
}

function lineOf(one: Pending, closed: ReadonlySet<string>, digits: ReadonlyMap<string, string>): JsonLine {
  const type = typeOf(one.value);
  if (type !== 'object' && type !== 'array') {
    const text = digits.get(one.pointer) ?? JSON.stringify(one.value) ?? 'null';
    return { ...one, kind: 'value', type, text, size: 0 };
  }
  const size = Object.keys(one.value as object).length;
  const kind = size === 0 || closed.has(one.pointer) ? 'closed' : 'open';
  const [first, last] = BRACKETS[type];
  const text = kind === 'open' ? first : size === 0 ? first + last : `${first} … ${last}`;
  return { ...one, kind, type, text, size };
}

function membersOf({ value, type, pointer, path, depth }: JsonLine): Pending[] {
  const entries = Object.entries(value as object);
  return entries.map(([key, member], index) => ({
    pointer: `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    path: (path === '' ? '' : `${path}.`) + (key === '*' ? '\\*' : key.replace(/[.\\]/g, '\\$&')),
    depth: depth + 1,
    key: type === 'array' ? null : key,
    isLast: index === entries.length - 1,
    value: member as unknown,
  }));
}

function typeOf(value: unknown): JsonLine['type'] {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonLine['type'];
}

/** The JSON of a value in one line, cut where it is longer than this many characters. */
export function jsonExcerpt(value: unknown, most: number): string {
  if (value === undefined) return 'missing';
  const text = stringifyJson(value);
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
