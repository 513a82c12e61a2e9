/** Dotted paths: parsing, reading, and the way back to text. */

/**
 * One step down: an own key of an object, or an element of an array; or, if it is {@link STAR}, every element of an
 * array.
 */
export interface Segment {
  readonly key: string;
  /** The key as an array index, or -1 if it is not a canonical one (`0`, `17`; not `01`). */
  readonly index: number;
}

/** From the event's root; at least one segment. */
export type Path = readonly Segment[];

/** Stands for every element of an array. No other segment stands for more than one value. */
export const STAR: Segment = { key: '*', index: -1 };

/**
 * Stars of one path, at most: paths whose stars and indexes overlap could read the same nested arrays again and again.
 */
const MAX_STARS = 8;

const CANONICAL_INDEX = /^(?:0|[1-9]\d{0,9})$/;

/**
 * Reads `data.body.items.0.sku` or `data.body.items.*.sku`. `\.` is a dot inside a key, `\\` a backslash, and `\*`
 * a key that is a star.
 *
 * @returns The path, or a sentence that says why the text is invalid.
 */
export function parsePath(text: string): Path | string {
  if (text === '') return 'the path is empty; write one such as data.body.action';
  const path: Segment[] = [];
  let stars = 0;
  let key = '';
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const unit = text[at];
    if (unit === undefined || unit === '.') {
      if (key === '') return `an empty segment at position ${at}; write \\. for a dot inside a key`;
      const isStar = at - start === 1 && key === STAR.key;
      if (isStar && ++stars > MAX_STARS) return `more than ${MAX_STARS} stars, from position ${start} on`;
      path.push(isStar ? STAR : segment(key));
      key = '';
      start = at + 1;
    } else if (unit === '\\') {
      const escaped = text[++at];
      if (escaped !== '.' && escaped !== '\\' && escaped !== '*') {
        return `a stray \\ at position ${at - 1}; only \\., \\* and \\\\ are allowed in a path`;
      }
      key += escaped;
    } else {
      key += unit;
    }
  }
  return path;
}

const segment = (key: string): Segment => ({ key, index: CANONICAL_INDEX.test(key) ? Number(key) : -1 });

/** A key as it is written in a path. */
export const escapeKey = (key: string): string => (key === STAR.key ? '\\*' : key.replace(/[.\\]/g, '\\$&'));

/** Whether a path has a star, and so any number of values. */
export const isStarred = (path: Path): boolean => path.includes(STAR);

/** A path in two: what leads to one container, and what is read from it. */
export interface Approach {
  /** Without stars. */
  readonly parent: Path;
  /** The segment after it: the last one of a path without stars, otherwise the first star. */
  readonly last: Segment;
  /** The segments after the star. */
  readonly rest: Path;
}

/** Divides a path before its last segment, or before its first star. */
export function approach(path: Path): Approach {
  const star = path.indexOf(STAR);
  const at = star < 0 ? path.length - 1 : star;
  return { parent: path.slice(0, at), last: path[at] as Segment, rest: path.slice(at + 1) };
}

/**
 * Whether a container itself has the member that a segment names. Own keys and elements count, inherited ones do not.
 */
export const owns = (container: object, { key, index }: Segment): boolean =>
  Array.isArray(container) ? index >= 0 && index < container.length : Object.hasOwn(container, key);

/** The own member of `parent` that a segment names; `undefined` if it does not exist. A star names the array itself. */
export function child(parent: unknown, segment: Segment): unknown {
  if (typeof parent !== 'object' || parent === null) return undefined;
  if (segment === STAR) return Array.isArray(parent) ? parent : undefined;
  return owns(parent, segment) ? (parent as Readonly<Record<string, unknown>>)[segment.key] : undefined;
}

/** The value at a path without stars; `undefined` if it is absent. */
export function readPath(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    value = child(value, step);
    if (value === undefined) return undefined;
  }
  return value;
}

/** One of the values that a path leads to. */
export interface Found {
  /** The path of this value alone: without stars. */
  readonly path: Path;
  readonly value: unknown;
}

/** The values that a path leads to, in the order of arrays, each with a path of its own. */
export function* findAll(root: unknown, path: Path): Generator<Found, void> {
  const star = path.indexOf(STAR);
  const container = readPath(root, star < 0 ? path : path.slice(0, star));
  if (star < 0) {
    if (container !== undefined) yield { path, value: container };
    return;
  }
  if (!Array.isArray(container)) return;
  const [before, after] = [path.slice(0, star), path.slice(star + 1)];
  for (const [index, element] of (container as readonly unknown[]).entries()) {
    const segment = { key: String(index), index };
    if (after.length === 0) {
      if (element !== undefined) yield { path: [...before, segment], value: element };
      continue;
    }
    for (const found of findAll(element, after)) {
      yield { path: [...before, segment, ...found.path], value: found.value };
    }
  }
}

/** A path as text. */
export const textOfPath = (path: Path): string =>
  path.map((segment) => (segment === STAR ? STAR.key : escapeKey(segment.key))).join('.');
