/**
 * Sets of texts as deterministic automata, one for each operator on strings. All the texts that meet several conditions
 * are what the product of their automata accepts, and negation is acceptance turned around.
 *
 * Automata read code points. A condition on a text with a lone surrogate has no automaton, since the operators compare
 * UTF-16 units: half of a pair is found within it.
 */
import { FOUND, walkPattern, type CodePoints } from '../../patterns/index.js';
import { isSurrogate } from '../../unicode.js';

/** A deterministic automaton over code points; its states are integers. */
export interface TextAutomaton {
  readonly start: number;
  /** Sets of code points; characters that no set tells apart lead to the same state. */
  readonly sets: readonly CodePoints[];
  step(state: number, point: number): number;
  /** Whether the texts that end in a state are in the set. */
  accepts(state: number): boolean;
  /**
   * Whether texts are in the set, or outside it, no matter what follows a state; `undefined` if that depends on what
   * follows.
   */
  fate(state: number): boolean | undefined;
}

/** The state that no text leaves, in which no text is accepted. */
const DEAD = -1;

/** The code points of a text; `null` if it has a lone surrogate. */
function pointsOf(text: string): readonly number[] | null {
  const points = Array.from(text, (character) => character.codePointAt(0) as number);
  return points.some(isSurrogate) ? null : points;
}

const singles = (points: readonly number[]): readonly CodePoints[] =>
  [...new Set(points)].map((point) => [point, point]);

/** The texts that begin with a text. */
export function startingWith(text: string): TextAutomaton | null {
  const points = pointsOf(text);
  if (points === null) return null;
  const end = points.length;
  return {
    start: 0,
    sets: singles(points),
    step: (state, point) =>
      state === end || state === DEAD ? state : points[state] === point ? state + 1 : DEAD,
    accepts: (state) => state === end,
    fate: (state) => (state === end ? true : state === DEAD ? false : undefined),
  };
}

/** The texts of a list. */
export function oneOf(texts: readonly string[]): TextAutomaton | null {
  const all = texts.map(pointsOf);
  const nodes: Map<number, number>[] = [new Map<number, number>()];
  const ends = new Set<number>();
  for (const points of all) {
    if (points === null) return null;
    let at = 0;
    for (const point of points) {
      const node = nodes[at] as Map<number, number>;
      at = node.get(point) ?? nodes.push(new Map()) - 1;
      node.set(point, at);
    }
    ends.add(at);
  }
  return {
    start: texts.length > 0 ? 0 : DEAD,
    sets: singles(all.flatMap((points) => points ?? [])),
    step: (state, point) => nodes[state]?.get(point) ?? DEAD,
    accepts: (state) => ends.has(state),
    fate: (state) => (state === DEAD ? false : undefined),
  };
}

/** The texts that contain a text (Knuth, Morris and Pratt). */
export function containing(text: string): TextAutomaton | null {
  const points = pointsOf(text);
  if (points === null) return null;
  const end = points.length;
  const advance = searcher(points);
  return {
    start: 0,
    sets: singles(points),
    step: (state, point) => (state === end ? end : advance(state, point)),
    accepts: (state) => state === end,
    fate: (state) => (state === end ? true : undefined),
  };
}

/** The texts that end with a text. */
export function endingWith(text: string): TextAutomaton | null {
  const points = pointsOf(text);
  if (points === null) return null;
  const end = points.length;
  return {
    start: 0,
    sets: singles(points),
    step: searcher(points),
    accepts: (state) => state === end,
    fate: () => (end === 0 ? true : undefined),
  };
}

/** How many points of the sought text match at the end of what has been read; those before the last one lead on. */
function searcher(points: readonly number[]): (state: number, point: number) => number {
  const fallbacks = [0, 0];
  const advance = (state: number, point: number): number => {
    let at = state;
    while (at > 0 && points[at] !== point) at = fallbacks[at] as number;
    return points[at] === point ? at + 1 : 0;
  };
  for (let i = 1; i < points.length; i++) {
    fallbacks.push(advance(fallbacks[i] as number, points[i] as number));
  }
  return advance;
}

const LESS = -1;
const GREATER = -2;

/** The texts whose order by code point, in relation to a text, passes a test. */
export function inOrder(text: string, passes: (order: number) => boolean): TextAutomaton | null {
  const points = pointsOf(text);
  if (points === null) return null;
  const end = points.length;
  const orderOf = (state: number): number => (state === end ? 0 : state === GREATER ? 1 : -1);
  return {
    start: 0,
    sets: [...singles(points), ...points.flatMap((point) => (point > 0 ? [[0, point - 1]] : []))],
    step(state, point) {
      if (state < 0) return state;
      if (state === end) return GREATER;
      const order = point - (points[state] as number);
      return order < 0 ? LESS : order > 0 ? GREATER : state + 1;
    },
    accepts: (state) => passes(orderOf(state)),
    fate: (state) => (state < 0 ? passes(orderOf(state)) : undefined),
  };
}

/** The texts in which a pattern is found; `null` for a pattern that only an engine can search for. */
export function matching(source: string): TextAutomaton | null {
  const walk = walkPattern(source);
  if (walk === null) return null;
  return {
    ...walk,
    accepts: (state) => walk.finds(state),
    fate: (state) => (state === FOUND ? true : undefined),
  };
}

const NUMERAL = String.raw`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`;

/** The texts that spell a number as JSON does. */
export const spellingNumber = (): TextAutomaton | null => matching(NUMERAL);
