/** JSON as a type, its equality, its copies and its size. All by loops, so that depth cannot overflow the stack. */

/** Any JSON value; read-only, so that frozen and literal values fit. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** True for an object that is not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The keys of all own members of a value, enumerable or not: rules see every member that an event itself has. Of an
 * array, `length` is among them.
 */
export const ownKeys = (container: object): string[] => Object.getOwnPropertyNames(container);

/** A copy that shares its members' values. A member that is not enumerable stays so, and a getter becomes its value. */
export function shallowCopy(container: object): object {
  if (Array.isArray(container)) return (container as unknown[]).slice();
  const copy = { ...container };
  if (hasHidden(container)) {
    for (const key of ownKeys(container)) {
      if (Object.hasOwn(copy, key)) continue;
      const value = (container as JsonObject)[key];
      Object.defineProperty(copy, key, { value, writable: true, configurable: true });
    }
  }
  return copy;
}

/** Whether an object has a member that is not enumerable. */
export const hasHidden = (object: object): boolean => ownKeys(object).length > Object.keys(object).length;

/** Keys of the members of an object that are not `undefined`. */
const memberKeys = (object: JsonObject): string[] =>
  ownKeys(object).filter((key) => object[key] !== undefined);

/** Members of an object that are not `undefined`. */
export function memberCount(object: JsonObject): number {
  let count = 0;
  for (const key of ownKeys(object)) {
    if (object[key] !== undefined) count++;
  }
  return count;
}

/** How an object is taken apart for a comparison. */
export interface Comparing {
  /** Lists the keys of `left`; {@link rememberKeys} if it is compared with many. */
  readonly keysOfLeft?: (object: JsonObject) => readonly string[];
  /** Counts members; in constant time where `right` is compared with many. @defaultValue {@link memberCount} */
  readonly sizeOfRight?: (object: JsonObject) => number;
}

/**
 * JSON equality: same type and value, structures member by member, key order of no matter. A member
 * that is `undefined` counts as absent. `0` equals `-0`. Takes time linear in `left`, and in the objects of
 * `right` whose members have to be counted.
 */
export function jsonEquals(left: unknown, right: unknown, how: Comparing = {}): boolean {
  const pending: object[] = [];
  if (!queue(left, right, pending)) return false;
  while (pending.length > 0) {
    const b = pending.pop() as object;
    const a = pending.pop() as object;
    const mayBeEqual = Array.isArray(a) ? queueElements(a, b, pending) : queueMembers(a, b, pending, how);
    if (!mayBeEqual) return false;
  }
  return true;
}

/** Whether two values may be equal; two containers are queued, to be compared later. */
const queue = (a: unknown, b: unknown, pending: object[]): boolean =>
  a === b || (isContainer(a) && isContainer(b) && pending.push(a, b) > 0);

function queueElements(a: readonly unknown[], b: object, pending: object[]): boolean {
  if (!Array.isArray(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (!queue(a[i], b[i], pending)) return false;
  }
  return true;
}

function queueMembers(
  a: object,
  b: object,
  pending: object[],
  { keysOfLeft = memberKeys, sizeOfRight = memberCount }: Comparing,
): boolean {
  if (!isObject(a) || !isObject(b)) return false;
  const keys = keysOfLeft(a);
  for (const key of keys) {
    if (!Object.hasOwn(b, key) || !queue(a[key], b[key], pending)) return false;
  }
  return keys.length === sizeOfRight(b);
}

/** True for an object or an array. */
export const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Lists the keys of each object once, so that comparing one value with many costs no more than their sizes. */
export function rememberKeys(): (object: JsonObject) => readonly string[] {
  const known = new Map<object, readonly string[]>();
  return (object) => {
    let keys = known.get(object);
    if (keys === undefined) known.set(object, (keys = memberKeys(object)));
    return keys;
  };
}

/** A deep copy of a JSON value; members that are `undefined` are left out of objects. */
export function cloneJson<T>(value: T): T {
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

/** Freezes a JSON value at every depth, also inside objects that were frozen before. */
export function deepFreeze<T>(value: T): T {
  const frozenBefore = new Set<object>();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (Object.isFrozen(next)) {
      if (frozenBefore.has(next)) continue;
      frozenBefore.add(next);
    }
    Object.freeze(next);
    for (const member of Array.isArray(next) ? next : Object.values(next)) pending.push(member);
  }
  return value;
}

/**
 * About how many UTF-16 units a value takes as JSON, and never more than it does. By a loop.
 *
 * @param limit - Ends the count as soon as it is exceeded.
 */
export function jsonSize(value: Json, limit = Infinity): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  let size = 0;
  const pending: Json[] = [value];
  while (pending.length > 0 && size <= limit) {
    const next = pending.pop() as Json;
    size += typeof next === 'string' ? next.length + 2 : 2;
    if (typeof next !== 'object' || next === null) continue;
    if (isObject(next)) {
      for (const key of Object.keys(next)) size += key.length + 2;
    }
    for (const member of Object.values<Json>(next)) pending.push(member);
  }
  return size;
}

/** Marks, among the values still to be looked at, that those inside a container are done. */
const LEAVING = Symbol('leaving');

/**
 * The containers around the value that a walk has reached, to find one that contains itself. Such a container nests
 * without end, so it is enough to look for it at depth 64, and whenever the walk is twice as deep as at the look
 * before. A set that containers join and leave would take quadratic time if one of them occurs many times.
 */
export class Ancestors {
  readonly #open: object[] = [];
  #lookAt = 64;

  /** @returns How many containers up one stands that contains itself; 0 if none is found. */
  enter(container: object): number {
    const depth = this.#open.push(container);
    if (depth < this.#lookAt) return 0;
    this.#lookAt = 2 * depth;
    const seen = new Set<object>();
    const again = this.#open.findIndex((one) => seen.size === seen.add(one).size);
    return again < 0 ? 0 : depth - again;
  }

  leave(): void {
    this.#open.pop();
  }
}

/** Counts UTF-16 units of JSON text; false ends the walk, since there are too many. */
export type CountSize = (units: number) => boolean;

/**
 * Describes the first part of a value that JSON cannot represent; `null` if JSON can represent all of it.
 *
 * @param count - Called for everything that is met: an object that occurs many times is met as often. If it says that
 *   there is too much, the answer is `null`.
 * @param whyNot - Describes a scalar that is not allowed; `null` for one that is.
 */
export function whyNotJson(
  value: unknown,
  count: CountSize = () => true,
  whyNot: (scalar: unknown) => string | null = whyNotScalar,
): string | null {
  const ancestors = new Ancestors();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next !== LEAVING && !count(unitsOf(next))) return null;
    if (next === LEAVING) {
      ancestors.leave();
    } else if (typeof next === 'object' && next !== null) {
      if (!Array.isArray(next) && !isPlain(next)) return 'an object that is neither plain nor an array';
      if (ancestors.enter(next) > 0) return 'a structure that contains itself';
      pending.push(LEAVING);
      for (const member of Array.isArray(next) ? next : Object.values(next)) pending.push(member);
    } else {
      const reason = whyNot(next);
      if (reason !== null) return reason;
    }
  }
  return null;
}

/** UTF-16 units of a value as JSON without its members' values; a lower bound. */
function unitsOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (!isObject(value)) return 1;
  return Object.keys(value).reduce((units, key) => units + key.length + 3, 2);
}

function whyNotScalar(value: unknown): string | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value !== 'number') return value === undefined ? 'undefined' : `a ${typeof value}`;
  return Number.isFinite(value) ? null : `the number ${value}, which JSON text cannot carry`;
}

/** True for an object literal, of this realm or another. */
export function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
