/**
 * The shortest text that meets several demands: a search, breadth first, through the product of their automata. When it
 * has seen every state and no text, no text exists.
 */
import { alphabetOf, type CodePoints } from '../../patterns/index.js';
import type { Effort } from './effort.js';
import type { TextSet } from './meaning.js';
import type { TextAutomaton } from './text-automata.js';

/** A set of texts, and whether a text must be in it, or must not. */
export interface TextDemand {
  readonly set: TextSet;
  readonly yes: boolean;
}

interface Part {
  readonly automaton: TextAutomaton;
  readonly yes: boolean;
}

/** A state of the product, and the way to it. */
interface Visit {
  readonly states: readonly number[];
  readonly from: Visit | null;
  readonly point: number;
}

/** Units of effort for a step of one automaton, and for each edge of a set of characters. */
const STEP_UNITS = 4;

/** Texts that are tried if some demand has no automaton. */
const MAX_TRIES = 16;

/** Characters that make up texts if any will do, the plainest first. */
const READABLE = Array.from('abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_ .:/@');

/**
 * Looks for a text.
 *
 * @param tries - Whether a text will do; asked only of texts that meet all demands that have an automaton.
 * @returns `null` if none meets them; `undefined` if that stays open.
 */
export function solveText(
  demands: readonly TextDemand[],
  tries: (text: string) => boolean,
  effort: Effort,
): string | null | undefined {
  const parts: Part[] = [];
  for (const { set, yes } of demands) {
    if (typeof set === 'boolean') {
      if (set !== yes) return null;
    } else if (set !== null) parts.push({ automaton: set, yes });
  }
  const letters = lettersOf(parts, effort);
  return letters === null ? undefined : new Search(parts, letters, effort).run(tries);
}

/** One character for each class that the automata tell apart. */
function lettersOf(parts: readonly Part[], effort: Effort): readonly number[] | null {
  const sets: CodePoints[] = parts.flatMap(({ automaton }) => automaton.sets);
  const edges = sets.reduce((sum, set) => sum + set.length, 0);
  if (!effort.affords(STEP_UNITS * edges * Math.log2(edges + 2))) return null;
  // Lone surrogates are characters, but the last ones that a text should be made of.
  const { points, classOf } = withClasses(alphabetOf([...sets, [0xd800, 0xdfff]], false));
  const letters = new Map<number, number>();
  for (const readable of READABLE) {
    const point = readable.codePointAt(0) as number;
    if (!letters.has(classOf(point))) letters.set(classOf(point), point);
  }
  for (const point of points) {
    if (point >= 0 && !letters.has(classOf(point))) letters.set(classOf(point), point);
  }
  return [...letters.values()];
}

const withClasses = (alphabet: ReturnType<typeof alphabetOf>) => ({
  points: alphabet.points,
  classOf: (point: number) => alphabet.classOf(point),
});

/** One search; made for one question. */
class Search {
  readonly #seen = new Set<string>();
  readonly #parts: readonly Part[];
  readonly #letters: readonly number[];
  readonly #effort: Effort;

  constructor(parts: readonly Part[], letters: readonly number[], effort: Effort) {
    this.#parts = parts;
    this.#letters = letters;
    this.#effort = effort;
  }

  run(tries: (text: string) => boolean): string | null | undefined {
    const start = this.#visit(
      this.#parts.map(({ automaton }) => automaton.start),
      null,
      -1,
    );
    const queue = start === null ? [] : [start];
    let tried = 0;
    for (const visit of queue) {
      if (this.#accepts(visit)) {
        const text = textOf(visit);
        if (tries(text)) return text;
        if (++tried === MAX_TRIES) return undefined;
      }
      if (!this.#effort.affords(STEP_UNITS * this.#letters.length * (this.#parts.length + 1))) {
        return undefined;
      }
      for (const point of this.#letters) {
        const states = this.#parts.map(({ automaton }, i) =>
          automaton.step(visit.states[i] as number, point),
        );
        const next = this.#visit(states, visit, point);
        if (next !== null) queue.push(next);
      }
    }
    return tried > 0 ? undefined : null;
  }

  /** A state that was not seen before and from which a text may still be found. */
  #visit(states: readonly number[], from: Visit | null, point: number): Visit | null {
    for (const [i, { automaton, yes }] of this.#parts.entries()) {
      if (automaton.fate(states[i] as number) === !yes) return null;
    }
    const key = states.join();
    if (this.#seen.has(key)) return null;
    this.#seen.add(key);
    return { states, from, point };
  }

  #accepts({ states }: Visit): boolean {
    return this.#parts.every(({ automaton, yes }, i) => automaton.accepts(states[i] as number) === yes);
  }
}

function textOf(visit: Visit): string {
  const points: string[] = [];
  for (let at = visit; at.from !== null; at = at.from) points.push(String.fromCodePoint(at.point));
  return points.reverse().join('');
}
