/** Alphabets: partitions of the code points into classes that patterns cannot tell apart. */
import { EDGE, neighborOf, neighborSets, type Neighbor } from '../automaton/contexts.js';
import { MAX_CODE_POINT, rangeOf, type CodePoints } from '../code-points.js';

/** The class that stands for the end of the text. */
export const END_OF_TEXT = 0;

const ASCII = 128;

/** A partition of the code points into classes. Immutable; an automaton has one as long as it lives. */
export class Alphabet {
  /** The class of each ASCII character. */
  readonly ascii: Uint16Array;
  /** By class: one of its characters; -1 for {@link END_OF_TEXT}. */
  readonly points: readonly number[];
  /** How many classes there are, including {@link END_OF_TEXT}. */
  readonly size: number;

  /**
   * @param bounds - The first code points of ranges, ascending from 0.
   * @param classes - The class of each range, 1 or more.
   */
  constructor(
    readonly bounds: readonly number[],
    readonly classes: readonly number[],
  ) {
    this.ascii = Uint16Array.from({ length: ASCII }, (_, point) => this.classOf(point));
    const points = [-1];
    for (const [range, letter] of classes.entries()) points[letter] ??= bounds[range] as number;
    this.points = points;
    this.size = points.length;
  }

  /** The kind of neighbor that the characters of a class are; for an alphabet that tells newlines and words apart. */
  neighborOf(letter: number): Neighbor {
    return letter === END_OF_TEXT ? EDGE : neighborOf(this.points[letter] as number);
  }

  /** The class of a code point. */
  classOf(point: number): number {
    return this.classes[rangeOf(this.bounds, point)] as number;
  }
}

/**
 * The coarsest alphabet that tells apart what some sets tell apart.
 *
 * @param contextual - Whether it must tell newlines and words apart too.
 */
export function alphabetOf(sets: readonly CodePoints[], contextual: boolean): Alphabet {
  const distinct = new Map<string, CodePoints>();
  for (const set of contextual ? [...sets, ...neighborSets] : sets) distinct.set(set.join(), set);
  const edges = [...distinct.values()].flatMap((set) =>
    set.map((point, i) => (i % 2 === 0 ? point : point + 1)),
  );
  const bounds = ascending([0, ...edges]);
  const indexes = new Map(bounds.map((bound, index) => [bound, index]));
  let classes = bounds.map(() => 0);
  let next = 0;
  for (const set of distinct.values()) {
    const inside = new Map<number, number>();
    for (let i = 0; i < set.length; i += 2) {
      const end = indexes.get((set[i + 1] as number) + 1) ?? bounds.length;
      for (let range = indexes.get(set[i] as number) as number; range < end; range++) {
        const former = classes[range] as number;
        if (!inside.has(former)) inside.set(former, ++next);
        classes[range] = inside.get(former) as number;
      }
    }
  }
  classes = renumbered(classes);
  return new Alphabet(bounds, classes);
}

/** The coarsest alphabet that tells apart what any of some alphabets tells apart. */
export function joinAlphabets(alphabets: readonly Alphabet[]): Alphabet {
  const bounds = ascending(alphabets.flatMap((alphabet) => alphabet.bounds));
  const classes = bounds.map((bound) => alphabets.map((alphabet) => alphabet.classOf(bound)).join());
  return new Alphabet(bounds, renumbered(classes));
}

function ascending(points: readonly number[]): readonly number[] {
  return [...new Set(points)].filter((point) => point <= MAX_CODE_POINT).sort((a, b) => a - b);
}

/** Numbers names from 1, in order of appearance. */
function renumbered(names: readonly (number | string)[]): number[] {
  const numbers = new Map<number | string, number>();
  return names.map((name) => {
    if (!numbers.has(name)) numbers.set(name, numbers.size + 1);
    return numbers.get(name) as number;
  });
}
