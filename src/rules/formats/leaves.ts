/**
 * Leaves that ask exactly what other systems ask. Here `eq` reads numbers in texts and an absent path meets nothing, so
 * most questions take a group of leaves. None is written unless it gives the same answer for every event.
 */
import type { Json } from '../../json.js';
import { checkPattern } from '../../patterns/check.js';
import { escapeKey } from '../path.js';
import type { Leaf, Match, Operator } from '../rule.js';
import { numberIn } from '../values/index.js';
import {
  type Answer,
  type Context,
  group,
  isRefusal,
  refuse,
  type Part,
  type Refusal,
  type Steps,
} from './part.js';

export type Scalar = string | number | boolean | null;

export const isScalar = (value: unknown): value is Scalar => typeof value !== 'object' || value === null;

/** A path that is asked about. */
export interface Place {
  readonly path: string;
  readonly starred: boolean;
  /** Whether the opposite is asked. */
  readonly negated: boolean;
  readonly kinds: boolean;
}

/** The bound of a rule's paths. */
const MAX_STARS = 8;

export function placeOf(
  { negated, some }: Pick<Part, 'negated' | 'some'>,
  steps: Steps,
  { kinds }: Context,
): Place | Refusal {
  const stars = steps.filter((step) => step === null).length;
  if (steps.length === 0) {
    return refuse('this is about the event as a whole; conditions here are about a member');
  }
  if (steps.includes('')) return refuse('a name of a path is empty here');
  if (stars > MAX_STARS) return refuse(`this reads more than ${MAX_STARS} nested arrays`);
  const path = steps.map((step) => (step === null ? '*' : escapeKey(step))).join('.');
  return { path, starred: stars > 0, negated: some?.negated ?? negated, kinds };
}

export const leaf = (path: string, op: Operator, value?: Json): Leaf =>
  (value === undefined ? { path, op } : { path, op, value }) as Leaf;

/** A group that is not empty. */
export const all = (...trees: readonly Match[]): Match => group('all', trees) as Match;
export const any = (...trees: readonly Match[]): Match => group('any', trees) as Match;

export const missing = (path: string): Leaf => leaf(path, 'missing');
const isText = (path: string): Leaf => leaf(path, 'starts_with', '');
export const isNumberOrOther = (path: string): Leaf => leaf(path, 'not_contains', '');
/** A value that is not a text; an array may have an empty one. */
export const isNotText = (path: string): readonly Match[] => [
  isNumberOrOther(path),
  leaf(`${path}.*`, 'exists'),
];

export const isArray = (path: string): readonly Match[] => [
  leaf(path, 'eq', []),
  leaf(`${path}.*`, 'exists'),
];
export const isNotArray = (path: string): readonly Match[] => [
  any(missing(path), leaf(path, 'neq', [])),
  missing(`${path}.*`),
];

/** Whether the value is a number, a text, a boolean or `null`. */
export const isScalarValue = (path: string): Match =>
  any(isText(path), leaf(path, 'in', [true, false, null]), leaf(path, 'lt', 0), leaf(path, 'gte', 0));

/** Values that one leaf can list, and the leaf that tells them from what `eq` takes for them. */
interface Listed {
  readonly values: readonly Scalar[];
  readonly guard?: Leaf;
  readonly notGuard?: Leaf;
}

function listsOf({ path, kinds }: Place, values: readonly Scalar[]): readonly Listed[] {
  const numbers = values.filter((value) => typeof value === 'number');
  const texts = values.filter((value) => typeof value === 'string');
  if (kinds && (numbers.length === 0 || texts.length === 0)) return [{ values }];
  const spelled = texts.filter((text) => numberIn(text) !== undefined);
  const plain = values.filter((value) => typeof value !== 'number' && !spelled.includes(value as string));
  const lists: readonly Listed[] = [
    { values: plain },
    { values: numbers, guard: isNumberOrOther(path), notGuard: isText(path) },
    { values: spelled, guard: isText(path), notGuard: isNumberOrOther(path) },
  ];
  return lists.filter(({ values }) => values.length > 0);
}

/**
 * Whether the value is one of these, of the same type.
 *
 * @param orAbsent - Whether an absent one counts as one of them.
 */
export function isOneOf(place: Place, values: readonly Scalar[], orAbsent = false): Answer {
  const { path, starred, negated } = place;
  const lists = listsOf(place, [...new Set(values)]);
  if (starred && lists.some(({ guard }) => guard !== undefined)) {
    return refuse(
      `in an array, 5 and "5" are alike here; if ${path} is of one kind in all events, import with assume: ['kinds']`,
    );
  }
  const absent = missing(path);
  if (!negated) {
    const trees = lists.map(({ values, guard }) =>
      all(listed(path, values, false), ...(guard ? [guard] : [])),
    );
    return group('any', orAbsent ? [absent, ...trees] : trees);
  }
  const trees = lists.map(({ values, notGuard }) =>
    any(listed(path, values, true), ...(notGuard ? [notGuard] : [])),
  );
  if (trees.length === 0) return orAbsent ? leaf(path, 'exists') : true;
  return orAbsent ? all(...trees) : any(absent, all(...trees));
}

function listed(path: string, values: readonly Scalar[], negated: boolean): Leaf {
  if (values.length === 1) return leaf(path, negated ? 'neq' : 'eq', values[0]);
  return leaf(path, negated ? 'not_in' : 'in', values);
}

/** Whether the value equals an array or an object, member by member. */
export const isStructure = ({ path, negated }: Place, value: Json): Match =>
  negated ? any(missing(path), leaf(path, 'neq', value)) : leaf(path, 'eq', value);

export const isPresent = ({ path, negated }: Place): Match => leaf(path, negated ? 'missing' : 'exists');

/** Whether the value is a text that begins with, ends with or contains another. */
export function isTextWith(place: Place, op: 'starts_with' | 'ends_with' | 'contains', text: string): Answer {
  const { path, starred, negated } = place;
  if (op === 'contains') {
    if (negated) {
      const arrays = starred ? [] : [leaf(`${path}.*`, 'exists')];
      return any(missing(path), leaf(path, 'not_contains', text), ...arrays);
    }
    const contains = leaf(path, 'contains', text);
    return starred ? contains : all(contains, isText(path));
  }
  if (!negated) return leaf(path, op, text);
  if (/[\ud800-\udfff]/u.test(text)) {
    return refuse('a text with half a surrogate pair cannot be asked for here');
  }
  const literal = text.replace(/[\0-\x7f]/g, escapeAscii);
  return isMatching(place, op === 'starts_with' ? `^${literal}` : `${literal}$`);
}

const escapeAscii = (unit: string): string =>
  /\w/.test(unit) ? unit : `\\x{${unit.charCodeAt(0).toString(16)}}`;

/** Whether the value is a text in which an RE2 pattern is found. */
export function isMatching({ path, negated }: Place, pattern: string): Answer {
  const problem = checkPattern(pattern);
  if (problem !== null) return refuse(problem.message);
  return negated ? any(missing(path), leaf(path, 'not_matches', pattern)) : leaf(path, 'matches', pattern);
}

/** The answers of several places together: any of them, or with `negated` all of them. */
export function inAny(places: readonly (Place | Refusal)[], ask: (place: Place) => Answer): Answer {
  const trees: Match[] = [];
  const negated = places.some((place) => !isRefusal(place) && place.negated);
  for (const place of places) {
    const answer = isRefusal(place) ? place : ask(place);
    if (isRefusal(answer)) return answer;
    if (typeof answer !== 'boolean') trees.push(answer);
    else if (answer !== negated) return answer;
  }
  return group(negated ? 'all' : 'any', trees);
}
