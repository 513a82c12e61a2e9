/**
 * Checks of arguments from the host, before anything happens. They cover callers that TypeScript does not: JavaScript,
 * JSON, and members brought in by a spread. No message quotes text: it may be a secret, a connection string or a body.
 */
import { OptionError } from '../errors.js';
import { isIntegerIn } from '../integers.js';

/** Throws unless the value is valid. `name` is the option or argument in the message. */
export type Check = (name: string, value: unknown) => void;

/** A check for every member of a shape; the type requires each of them. */
export type Checks<Shape> = Readonly<Record<keyof Shape & string, Check>>;

export const invalid = (message: string): OptionError => new OptionError('invalid_option', message);

/**
 * Checks an object of options: every member is known and valid.
 *
 * @param taker - The function that takes them, such as `createScheduler`; it begins the message.
 * @param given - The host's argument.
 * @param checks - A check for each known member.
 * @param noun - The word for a member in messages.
 * @throws {@link OptionError} `invalid_option`, naming what is wrong and what to give.
 */
export function assertMembers<Shape>(
  taker: string,
  given: unknown,
  checks: Checks<Shape>,
  noun = 'option',
): asserts given is Shape {
  if (!isPlainObject(given)) {
    const known = Object.keys(checks).join(', ');
    throw invalid(`${taker} takes one object of ${noun}s (${known}), not ${kindOf(given)}`);
  }
  assertKnown(taker, given, checks, noun);
  for (const [name, check] of Object.entries<Check>(checks)) check(name, given[name]);
}

/** Refuses unknown members and names all of them. */
export function assertKnown(taker: string, given: object, checks: object, noun: string): void {
  const unknown = Object.keys(given).filter((key) => !Object.hasOwn(checks, key));
  if (unknown.length === 0) return;
  const known = Object.keys(checks).join(', ');
  throw invalid(`${taker} has no ${noun} ${unknown.join(', ')}: give some of ${known}`);
}

export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  tagOf(value) === 'Object';

/** Describes the type of a value, never its contents, except for numbers. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number') return String(value);
  if (value instanceof Promise) return 'a promise (is an await missing?)';
  const kind = typeof value === 'object' ? tagOf(value).replace(/^(?:Object|Array)$/, lower) : typeof value;
  return `${/^[aeio]/i.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** Such as `Object`, `Map`, `URL`. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);
const lower = (word: string): string => word.toLowerCase();

/** Accepts one more value than the check does. */
export const either =
  (one: null | number | undefined, check: Check): Check =>
  (name, value) => {
    if (value !== one) check(name, value);
  };

/** Accepts `undefined` too. */
export const optional = (check: Check): Check => either(undefined, check);

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

/** @param instead - The end of the message, after "give". */
export const callable =
  (instead: string): Check =>
  (name, value) => {
    if (typeof value !== 'function') throw invalid(`${name} is ${kindOf(value)}: give ${instead}`);
  };

/**
 * Accepts values that have the methods.
 *
 * @param methods - Names of the required methods.
 * @param instead - The end of the message, after "give".
 */
export const part =
  (methods: readonly string[], instead: string): Check =>
  (name, value) => {
    const lacking = methods.filter((method) => !hasMethod(value, method));
    if (lacking.length === 0) return;
    const without =
      typeof value === 'object' && value !== null ? ` without ${lacking.join('() and ')}()` : '';
    throw invalid(`${name} is ${kindOf(value)}${without}: give ${instead}`);
  };

/** True also for a class with a static method of that name. */
export const hasMethod = (value: unknown, method: string): boolean =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  typeof (value as Readonly<Record<string, unknown>>)[method] === 'function';

/**
 * Accepts integers within bounds.
 *
 * @param min - Included.
 * @param max - Included.
 */
export const integer =
  (min: number, max: number): Check =>
  (name, value) => {
    if (isIntegerIn(value, min, max)) return;
    throw invalid(`${name} is ${kindOf(value)}: give an integer from ${min} to ${max}`);
  };

/** Accepts whole Unix milliseconds. */
export const instant: Check = (name, value) => {
  if (!isIntegerIn(value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)) {
    throw invalid(`${name} is ${kindOf(value)}: give whole ${MS}`);
  }
};

/**
 * Accepts Unix milliseconds, and refuses numbers that look like another unit. Read as milliseconds, Unix seconds are
 * days in 1970 and microseconds are in the far future: a search by them finds nothing, or everything.
 */
export const calendarInstant: Check = (name, value) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw invalid(`${name} is ${kindOf(value)}: give ${MS}`);
  }
  if (value >= 1e9 && value < 1e11) {
    throw invalid(`${name} is ${value}, which looks like seconds: give ${MS}`);
  }
  if (value >= 1e14) throw invalid(`${name} is ${value}, which is later than the year 5000: give ${MS}`);
};

const MS = 'Unix milliseconds, as Date.now() or date.getTime() gives them';
