/** Values as people read them, of bounded size however large they are. */
import type { ShownValue } from './routes.js';

/** Characters that are shown. */
const MOST = 200;

/** Shows values; an object that comes again is not printed again. */
export type ShowValue = (value: unknown) => ShownValue;

export function createShowValue(): ShowValue {
  const known = new WeakMap<object, ShownValue>();
  return (value) => {
    if (typeof value !== 'object' || value === null) return shown(value);
    const before = known.get(value);
    if (before !== undefined) return before;
    const made = shown(value);
    known.set(value, made);
    return made;
  };
}

/** The kind of a JSON value. */
export function kindOf(value: unknown): ShownValue['kind'] {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'boolean' | 'number' | 'string' | 'object';
}

function shown(value: unknown): ShownValue {
  const kind = kindOf(value);
  if (kind === 'missing') return { kind, text: '', is_cut: false };
  const text = beginningOf(value, MOST + 1);
  return text.length > MOST
    ? { kind, text: wholeCharacters(text.slice(0, MOST)), is_cut: true }
    : { kind, text, is_cut: false };
}

/**
 * At least the first `most` units of the JSON of a value. Each level prints a unit, so no more levels than that are
 * entered.
 */
function beginningOf(value: unknown, most: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, most));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  let text = isArray ? '[' : '{';
  for (const key of Object.keys(value)) {
    if (text.length >= most) return text;
    if (text.length > 1) text += ',';
    if (!isArray) text += `${JSON.stringify(key.slice(0, most))}:`;
    text += beginningOf((value as Readonly<Record<string, unknown>>)[key], most - text.length);
  }
  return text + (isArray ? ']' : '}');
}

/** Without half of a character at the end. */
const wholeCharacters = (text: string): string => text.replace(/[\uD800-\uDBFF]$/, '');
