/** Values for which a leaf holds, or nearly holds. */
import type { Json } from '../../json.js';
import { definitionOf, demandOf, isNegated } from '../../rules/operators/index.js';
import type { Leaf } from '../../rules/rule.js';
import type { Choices } from './choices.js';
import { textFor } from './pattern-text.js';

/** A value at a path; `undefined` if the path is absent. */
export type Answer = Json | undefined;

/** Values on both sides of the leaf's bound; the first ones are the most likely to hold. */
export function answersTo(leaf: Leaf, choices: Choices): readonly Answer[] {
  const near = definitionOf(leaf).near?.(leaf.value);
  if (near !== undefined) return near;
  const demand = demandOf(leaf);
  switch (demand.kind) {
    case 'equals':
      return around(choices.of(demand.values) ?? null);
    case 'contains':
      return [...around(demand.value).map((near) => [0, near]), ...around(demand.value), []];
    case 'affix':
      return around(demand.text);
    case 'pattern':
      return around(textFor(demand.source, choices));
    case 'presence':
      return [undefined, null, 'a', {}];
    default:
      return around(demand.value);
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

/** One text for all leaves that ask for its start, its end, or a text in it, which no single leaf would suggest. */
export function joinedText(leaves: readonly Leaf[]): string {
  const parts: Record<'start' | 'middle' | 'end', string[]> = { start: [], middle: [], end: [] };
  for (const demand of leaves.filter((leaf) => !isNegated(leaf)).map(demandOf)) {
    if (demand.kind === 'affix') parts[demand.end].push(demand.text);
    if (demand.kind === 'contains' && typeof demand.value === 'string') parts.middle.push(demand.value);
  }
  return [...parts.start, ...parts.middle, ...parts.end].join('');
}
