/** JSON as a type, its equality, its order and its text. All of it by loops: depth never meets the stack. */

/** Any JSON value; read-only, so that frozen and literal values fit. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** True for what `{…}` in JSON makes: an object that is no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type KeysOf = (object: Readonly<Record<string, unknown>>) => readonly string[];

/**
 * JSON equality: same type and value, structures member by member, key order of no matter. A member
 * that is `undefined` counts as absent. `0` equals `-0`.
 *
 * @param keysOfLeft - {@link rememberKeys} where `left` is compared with many, or it would be listed anew each time.
 */
export function jsonEquals(left: unknown, right: unknown, keysOfLeft: KeysOf = presentKeys): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  const pending: unknown[] = [left, right];
  while (pending.length > 0) {
    const b = pending.pop();
    const a = pending.pop();
    if (a === b) continue;
    if (Array.isArray(a)) {
      if (!Array.isArray(b) || a.length !== b.length) return false;
      for (let i = 0; i < a.length; i++) pending.push(a[i], b[i]);
    } else if (isObject(a) && isObject(b)) {
      if (!pushMembers(a, b, keysOfLeft(a), pending)) return false;
    } else {
      return false;
    }
  }
  return true;
}

/** Queues the members of two objects for comparison; false when their keys differ. */
function pushMembers(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  pending: unknown[],
): boolean {
  if (keys.length !== presentKeys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false;
    pending.push(a[key], b[key]);
  }
  return true;
}

const presentKeys = (object: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(object).filter((key) => object[key] !== undefined);

/** Lists the keys of each object once, so that comparing one value with many costs no more than their sizes. */
export function rememberKeys(): KeysOf {
  const known = new Map<object, readonly string[]>();
  return (object) => {
    const keys = known.get(object) ?? presentKeys(object);
    known.set(object, keys);
    return keys;
  };
}

/**
 * Orders two strings by code point, which is the order of their UTF-8 bytes. JavaScript's `<` orders
 * by UTF-16 unit and differs where astral characters meet U+E000..U+FFFF.
 *
 * @returns Negative, zero or positive, as `Array.prototype.sort` expects.
 */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  let at = 0;
  while (at < shared && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === shared) return a.length - b.length;
  // They may have parted in the middle of a surrogate pair: compare the whole characters.
  if (endsPair(a, at) || endsPair(b, at)) at--;
  return (a.codePointAt(at) as number) - (b.codePointAt(at) as number);
}

/** Whether the unit at a position is the second half of a surrogate pair. */
const endsPair = (text: string, at: number): boolean =>
  at > 0 && (text.codePointAt(at - 1) as number) > 0xffff;

/** Code points in a string; a lone surrogate is one. */
export function codePointLength(text: string): number {
  let length = 0;
  for (let i = 0; i < text.length; length++) i += (text.codePointAt(i) as number) > 0xffff ? 2 : 1;
  return length;
}

/** A deep copy of a JSON value; members that are `undefined` are left out of objects. */
export function cloneJson<T extends Json>(value: T): T {
  const root: unknown[] = [value];
  const pending: (unknown[] | Record<string, unknown>)[] = [root];
  for (let copy = pending.pop(); copy !== undefined; copy = pending.pop()) {
    for (const key of Object.keys(copy)) {
      const member = (copy as Record<string, unknown>)[key];
      if (typeof member !== 'object' || member === null) continue;
      const inner = Array.isArray(member) ? member.slice() : { ...member };
      (copy as Record<string, unknown>)[key] = inner;
      pending.push(inner);
    }
  }
  return root[0] as T;
}

/** Marks, among the values still to be looked at, that those inside a container are done. */
class Leaving {
  constructor(readonly container: object) {}
}

/** What in a value JSON cannot say, in a few words; `null` when it can say it all. */
export function whyNotJson(value: unknown): string | null {
  const open = new Set<object>();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next instanceof Leaving) {
      open.delete(next.container);
    } else if (typeof next === 'object' && next !== null) {
      if (open.has(next)) return 'a structure that contains itself';
      if (!Array.isArray(next) && !isPlain(next)) return 'an object that is neither plain nor an array';
      open.add(next);
      pending.push(new Leaving(next));
      for (const member of Array.isArray(next) ? next : Object.values(next)) pending.push(member);
    } else {
      const reason = whyNotScalar(next);
      if (reason !== null) return reason;
    }
  }
  return null;
}

function whyNotScalar(value: unknown): string | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value !== 'number') return value === undefined ? 'undefined' : `a ${typeof value}`;
  return Number.isFinite(value) ? null : `the number ${value}, which JSON text cannot carry`;
}

/** True for an object literal, of this realm or another. */
function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
