/** Values for which a leaf holds, or nearly holds. */
import type { Json } from '../../json.js';
import type { Leaf } from '../../rules/rule.js';
import type { Choices } from './choices.js';
import { textFor } from './pattern-text.js';

/** A value at a path; `undefined` where the path is absent. */
export type Answer = Json | undefined;

/** Values on both sides of the leaf's bound; the first ones are the most likely to hold. */
export function answersTo(leaf: Leaf, choices: Choices): readonly Answer[] {
  switch (leaf.op) {
    case 'in':
    case 'not_in':
      return around(choices.of(leaf.value) ?? null);
    case 'contains':
    case 'not_contains':
      return [...around(leaf.value).map((near) => [0, near]), ...around(leaf.value), []];
    case 'matches':
    case 'not_matches':
      return around(textFor(leaf.value, choices));
    case 'exists':
    case 'missing':
      return [undefined, null, 'a', {}];
    default:
      return around(leaf.value);
  }
}

/** The value, equal values of other types, and values near it. */
function around(value: Json): readonly Json[] {
  if (typeof value === 'number') {
    return [value, String(value), `${value}.0`, value + 1, value - 1, -value, [value]];
  }
  if (typeof value === 'string') {
    return [...aroundText(value), ...(isNumeral(value) ? around(Number(value)) : [])];
  }
  if (isList(value)) return [value, [...value, null], value.slice(1), value[0] ?? null];
  if (typeof value === 'object' && value !== null) return [value, { ...value, '': 0 }, [value]];
  return [value, String(value), value === true ? false : 0];
}

const aroundText = (text: string): readonly string[] => [
  text,
  `${text}a`,
  `a${text}`,
  `a${text}b`,
  text.slice(0, -1),
  text.slice(1),
  text.toUpperCase(),
];

const isNumeral = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** One text for all leaves with `starts_with`, `contains` and `ends_with`, which no single leaf would suggest. */
export function joinedText(leaves: readonly Leaf[]): string {
  const texts = (op: Leaf['op']): string[] =>
    leaves.flatMap((leaf) => (leaf.op === op && typeof leaf.value === 'string' ? [leaf.value] : []));
  return [...texts('starts_with'), ...texts('contains'), ...texts('ends_with')].join('');
}
