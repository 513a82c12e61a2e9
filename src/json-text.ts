/** JSON as text, to any depth. */

/**
 * The text that `JSON.stringify` returns, also for values so deep that it overflows the stack.
 *
 * @example
 * ```ts
 * import { stringifyJson } from 'headgate';
 *
 * let deep: object = {};
 * for (let depth = 0; depth < 100_000; depth++) deep = { deep };
 * console.log(stringifyJson(deep).length); // 900002
 * ```
 * @param value - Any JSON value, or what `JSON.stringify` makes of a `Date` and the like.
 * @throws TypeError for what JSON cannot represent: a cycle, a BigInt, and on the outside `undefined`, a function or a
 *   symbol.
 */
export function stringifyJson(value: unknown): string {
  let text: string | undefined;
  try {
    text = engineText(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    text = stringifyByLoop(value as object);
  }
  if (text === undefined) throw new TypeError('JSON cannot represent undefined, a function or a symbol');
  return text;
}

/** A container that is being written. */
interface Frame {
  readonly container: Readonly<Record<string | number, unknown>>;
  /** The keys of an object; `null` for an array. */
  readonly keys: readonly string[] | null;
  readonly length: number;
  /** Index of the member, or of its key, that comes next. */
  next: number;
  /** True until its first member is written. */
  empty: boolean;
}

/** {@link stringifyJson} without recursion; several times slower. */
export function stringifyByLoop(value: object): string {
  const parts: string[] = [];
  const open = new Set<object>();
  const frames: Frame[] = [];
  const write = (member: unknown): void => {
    if (isContainer(member)) {
      if (open.has(member)) throw new TypeError('The value contains itself: JSON cannot represent a cycle');
      open.add(member);
      const frame = enter(member);
      frames.push(frame);
      parts.push(frame.keys === null ? '[' : '{');
    } else {
      parts.push(engineText(member) ?? 'null');
    }
  };
  write(withToJson(value, ''));
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (frame.next < frame.length) {
      writeMember(frame, parts, write);
    } else {
      parts.push(frame.keys === null ? ']' : '}');
      open.delete(frame.container);
      frames.pop();
    }
  }
  return parts.join('');
}

function enter(container: object): Frame {
  const keys = Array.isArray(container) ? null : Object.keys(container);
  const length = keys === null ? (container as readonly unknown[]).length : keys.length;
  return { container: container as Frame['container'], keys, length, next: 0, empty: true };
}

function writeMember(frame: Frame, parts: string[], write: (member: unknown) => void): void {
  const key = frame.keys === null ? frame.next : (frame.keys[frame.next] ?? '');
  frame.next++;
  const member = withToJson(frame.container[key], key);
  // Objects leave out members that JSON cannot represent; arrays write `null` instead.
  if (typeof key === 'string' && isLeftOut(member)) return;
  if (!frame.empty) parts.push(',');
  frame.empty = false;
  if (typeof key === 'string') parts.push(JSON.stringify(key), ':');
  write(member);
}

/** False for numbers, text and booleans in objects, which JSON writes as what is in them. */
const isContainer = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  ![Number, String, Boolean].some((box) => value instanceof box);

const isLeftOut = (member: unknown): boolean =>
  member === undefined || typeof member === 'function' || typeof member === 'symbol';

/** `undefined` for a value that JSON cannot represent. */
const engineText = (value: unknown): string | undefined => JSON.stringify(value);

/** The result of `toJSON`, for a `Date` and other objects that have it; else the value itself. */
function withToJson(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? toJSON.call(value, String(key)) : value;
}
