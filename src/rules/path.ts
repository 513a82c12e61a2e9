/** Dotted paths: parsing, reading, and the way back to text. */

/** One step down: an own key of an object, or an element of an array. */
export interface Segment {
  readonly key: string;
  /** The key as an array index, or -1 where it is not a canonical one (`0`, `17`; not `01`). */
  readonly index: number;
}

/** From the event's root; at least one segment. */
export type Path = readonly Segment[];

const CANONICAL_INDEX = /^(?:0|[1-9]\d{0,9})$/;

/**
 * Reads `data.body.items.0.sku`. `\.` is a dot inside a key and `\\` a backslash.
 *
 * @returns The path, or a sentence that says why the text is invalid.
 */
export function parsePath(text: string): Path | string {
  if (text === '') return 'the path is empty; write one such as data.body.action';
  const path: Segment[] = [];
  let key = '';
  for (let at = 0; at <= text.length; at++) {
    const unit = text[at];
    if (unit === undefined || unit === '.') {
      if (key === '') return `an empty segment at position ${at}; write \\. for a dot inside a key`;
      path.push(segment(key));
      key = '';
    } else if (unit === '\\') {
      const escaped = text[++at];
      if (escaped !== '.' && escaped !== '\\') {
        return `a stray \\ at position ${at - 1}; only \\. and \\\\ may stand in a path`;
      }
      key += escaped;
    } else {
      key += unit;
    }
  }
  return path;
}

const segment = (key: string): Segment => ({ key, index: CANONICAL_INDEX.test(key) ? Number(key) : -1 });

/** A key as it stands in a path. */
export const escapeKey = (key: string): string => key.replace(/[.\\]/g, '\\$&');

/** Whether a container itself has the member that a segment names. Own keys and elements count, inherited ones do not. */
export const owns = (container: object, { key, index }: Segment): boolean =>
  Array.isArray(container) ? index >= 0 && index < container.length : Object.hasOwn(container, key);

/** The own member of `parent` that a segment names; `undefined` where there is none. */
export function child(parent: unknown, segment: Segment): unknown {
  if (typeof parent !== 'object' || parent === null) return undefined;
  return owns(parent, segment) ? (parent as Readonly<Record<string, unknown>>)[segment.key] : undefined;
}

/** The value at a path; `undefined` where it is absent. */
export function readPath(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    value = child(value, step);
    if (value === undefined) return undefined;
  }
  return value;
}
