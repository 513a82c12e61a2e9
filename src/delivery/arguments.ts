/**
 * What hosts hand to stores, looked at before anything happens. TypeScript says the same earlier; this is for JavaScript,
 * for JSON, and for what a spread has brought along.
 */
import { OptionError } from '../errors.js';

/** Throws unless the value is what it must be; `name` says where it was given. */
export type Check = (name: string, value: unknown) => void;

/** A check for every member of a shape, so that none can be forgotten. */
export type Checks<Shape> = Readonly<Record<keyof Shape & string, Check>>;

/** What a member that is `undefined` means: that it was left out, or a mistake. */
export type Undefined = 'left out' | 'refused';

/**
 * Members of an object, each as it must be.
 *
 * @param what - Names the object, such as `filter`.
 * @param value - As the host gave it.
 * @param checks - All members that there are.
 * @param undefinedIs - What `undefined` means.
 * @throws {@link OptionError} `invalid_option`, naming what is wrong and what to give.
 */
export function assertMembers<Shape>(
  what: string,
  value: unknown,
  checks: Checks<Shape>,
  undefinedIs: Undefined,
): asserts value is Shape {
  const known = Object.keys(checks).join(', ');
  if (!isPlainObject(value)) throw invalid(`${what} is ${kindOf(value)}: give an object with ${known}`);
  for (const [key, member] of Object.entries(value)) {
    const check = Object.hasOwn(checks, key) ? checks[key as keyof Shape & string] : undefined;
    if (check === undefined) throw invalid(`${what} has no ${JSON.stringify(key)}: give ${known}`);
    if (member !== undefined) check(key, member);
    else if (undefinedIs === 'refused') throw invalid(`${key} is undefined: give a value, or leave it out`);
  }
}

/**
 * Members that must be there.
 *
 * @param what - Names the object.
 * @param value - As the host gave it.
 * @param keys - Which.
 */
export function assertPresent(what: string, value: object, keys: readonly string[]): void {
  for (const key of keys) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (member === undefined) throw invalid(`${key} is missing: ${what} needs ${keys.join(' and ')}`);
  }
}

export const invalid = (message: string): OptionError => new OptionError('invalid_option', message);

export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Object.prototype.toString.call(value) === '[object Object]';

/** What a value is, without what it holds: it may be a secret, or a body. */
export function kindOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Date) return 'a Date';
  if (typeof value !== 'object') return `a ${typeof value}`;
  return isPlainObject(value) ? 'an object' : `a ${Object.prototype.toString.call(value).slice(8, -1)}`;
}

export const text: Check = (name, value) => {
  if (typeof value !== 'string') throw invalid(`${name} is ${kindOf(value)}: give text`);
};

export const texts: Check = (name, value) => {
  if (!Array.isArray(value)) throw invalid(`${name} is ${kindOf(value)}: give an array of text`);
  value.forEach((one, i) => text(`${name}[${i}]`, one));
};

export const flag: Check = (name, value) => {
  if (typeof value !== 'boolean') throw invalid(`${name} is ${kindOf(value)}: give true or false`);
};

export const onlyTrue: Check = (name, value) => {
  if (value !== true) throw invalid(`${name} is ${kindOf(value)}: give true, or leave it out`);
};

/**
 * A count.
 *
 * @param min - Least.
 * @param max - Most.
 */
export const integer =
  (min: number, max: number): Check =>
  (name, value) => {
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return;
    throw invalid(`${name} is ${kindOf(value)}: give an integer from ${min} to ${max}`);
  };

/** Unix ms in whole. */
export const instant: Check = (name, value) => {
  if (!Number.isSafeInteger(value)) throw invalid(`${name} is ${kindOf(value)}: ${GIVE_MS}`);
};

/**
 * Unix ms of the calendar. Unix seconds of 2001 and later would be days of 1970, and microseconds those of years to come:
 * a search by them finds nothing, or all there is.
 */
export const calendarInstant: Check = (name, value) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw invalid(`${name} is ${kindOf(value)}: ${GIVE_MS}`);
  }
  if (value >= 1e9 && value < 1e11)
    throw invalid(`${name} is ${value}, which looks like seconds: ${GIVE_MS}`);
  if (value >= 1e14) throw invalid(`${name} is ${value}, which is later than the year 5000: ${GIVE_MS}`);
};

const GIVE_MS = 'give Unix milliseconds, as Date.now() or date.getTime() gives them';
