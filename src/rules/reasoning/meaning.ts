/**
 * The meaning of demands for numbers and texts: all that the theory of values knows about operators, besides how to try
 * one.
 */
import type { Json } from '../../json.js';
import type { Bound, Demand } from '../operators/index.js';
import { numberIn } from '../values/index.js';
import { NUMBER, STRING, kindOf, kindsMeeting } from './kinds.js';
import {
  containing,
  endingWith,
  inOrder,
  matching,
  oneOf,
  startingWith,
  type TextAutomaton,
} from './text-automata.js';

/** All numbers on one side of a bound. */
export interface HalfLine {
  readonly side: 'gt' | 'gte' | 'lt' | 'lte';
  readonly bound: number;
}

/** A set of numbers: all or none, some, or those on one side of a bound; `null` if a value has to be tried. */
export type NumberSet = null | boolean | readonly number[] | HalfLine;

/** A set of texts: all or none, or those of an automaton; `null` if there is no automaton for them. */
export type TextSet = boolean | TextAutomaton | null;

/** The numbers and strings that meet a demand. Other kinds of values are tried. */
export interface Meaning {
  /** The kinds of values of which it may be true. */
  readonly kinds: number;
  readonly numbers: NumberSet;
  readonly texts: () => TextSet;
  /** The numbers whose spellings count too; absent if a text that spells a number is a text like any other. */
  readonly spelled?: NumberSet;
  /** Whether `texts` says nothing of the texts that spell a number. */
  readonly wordsOnly?: boolean;
}

const ofTexts = (texts: () => TextSet, kinds = STRING): Meaning => ({ kinds, numbers: false, texts });

function member(values: readonly Json[]): Meaning {
  const texts = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number');
  const spelled = texts.map(numberIn).filter((number) => number !== undefined);
  return {
    kinds: values.reduce<number>((kinds, value) => kinds | kindsEqualTo(value), 0),
    numbers: [...numbers, ...spelled],
    texts: () => texts.length > 0 && oneOf(texts),
    ...(numbers.length > 0 && { spelled: numbers }),
  };
}

/** The kinds of values that equal a value, by coercion or without. */
function kindsEqualTo(value: Json): number {
  if (typeof value === 'number') return NUMBER + STRING;
  return kindOf(value) + (typeof value === 'string' && numberIn(value) !== undefined ? NUMBER : 0);
}

const sides = {
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
};

function within({ isLower, isStrict, value }: Bound): Meaning {
  const bound = typeof value === 'number' ? value : numberIn(value);
  const side = isLower ? (isStrict ? 'gt' : 'gte') : isStrict ? 'lt' : 'lte';
  const texts = (): TextSet => typeof value === 'string' && inOrder(value, sides[side]);
  if (bound === undefined) return ofTexts(texts);
  const line = { side, bound } as const;
  return { kinds: NUMBER + STRING, numbers: line, texts, spelled: line, wordsOnly: true };
}

function meaningIn(demand: Demand): Meaning {
  switch (demand.kind) {
    case 'equals':
      return member(demand.values);
    case 'affix': {
      const { end, text } = demand;
      return ofTexts(() => (end === 'start' ? startingWith(text) : endingWith(text)));
    }
    case 'contains': {
      const { value } = demand;
      return ofTexts(() => typeof value === 'string' && containing(value), kindsMeeting(demand));
    }
    case 'pattern':
      return ofTexts(() => matching(demand.source));
    case 'bound':
      return within(demand);
    case 'presence':
      return { kinds: kindsMeeting(demand), numbers: true, texts: () => true };
    case 'other':
      return { kinds: kindsMeeting(demand), numbers: null, texts: () => null };
  }
}

/** The meanings of demands, as long as the demands are in use. */
const meanings = new WeakMap<Demand, Meaning>();

/** The meaning of a demand; its automaton is made once, when it is first asked for. */
export function meaningOf(demand: Demand): Meaning {
  const known = meanings.get(demand);
  if (known !== undefined) return known;
  const meaning = meaningIn(demand);
  let texts: TextSet | undefined;
  const made = { ...meaning, texts: () => (texts ??= meaning.texts()) };
  meanings.set(demand, made);
  return made;
}
