/** The paths that recent events have: what is found there, and which one somebody means who types a few letters. */
import type { FoundKind } from './operators.js';
import { fieldOfJson, type ScalarField } from './value-field.js';

/** A value of an event as text, perhaps cut. */
export interface Sample {
  readonly kind: string;
  /** JSON; not whole where `is_cut`. */
  readonly text: string;
  readonly is_cut: boolean;
}

/** A path that recent events have. */
export interface FoundPath {
  readonly path: string;
  /** The most frequent first. */
  readonly kinds: readonly string[];
  /** Events that have it. */
  readonly events: number;
  readonly samples: readonly Sample[];
}

/** Dates and times of ISO 8601, which sort as texts. */
const TIMESTAMP = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

const KINDS = ['string', 'number', 'boolean', 'null', 'array', 'object'] as const;

/**
 * The kinds of values at a path; a text whose samples are all times is a timestamp. None for a path that was not found.
 */
export function kindsAt(found: FoundPath | undefined): readonly FoundKind[] {
  if (found === undefined) return [];
  const kinds = KINDS.filter((kind) => found.kinds.includes(kind)).sort(
    (a, b) => found.kinds.indexOf(a) - found.kinds.indexOf(b),
  );
  return kinds.map((kind) => (kind === 'string' && areTimes(found.samples) ? 'timestamp' : kind));
}

function areTimes(samples: readonly Sample[]): boolean {
  const texts = samples.filter(({ kind }) => kind === 'string');
  return texts.length > 0 && texts.every((sample) => TIMESTAMP.test(String(valueOfSample(sample))));
}

/** The value of a sample; undefined if the sample is cut. */
export function valueOfSample({ text, is_cut }: Sample): unknown {
  if (is_cut) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Values to choose from, each as a field. */
export const sampleFields = (found: FoundPath | undefined): ScalarField[] =>
  (found?.samples ?? [])
    .map(valueOfSample)
    .filter((value) => value !== undefined)
    .map(fieldOfJson);

/** The texts that recent events have at a path. */
export const textsOf = (found: FoundPath | undefined): readonly string[] =>
  (found?.samples ?? []).map(valueOfSample).filter((value): value is string => typeof value === 'string');

/** A path with its letters that were typed. */
export interface PathHit {
  readonly found: FoundPath;
  /** Positions of the letters, in UTF-16 units, ascending. */
  readonly letters: readonly number[];
}

/**
 * The paths in which the typed letters come in their order, the best first: those that contain the whole text, then by
 * how close together the letters are and how many begin a key, then by how many events have the path.
 */
export function findPaths(typed: string, paths: readonly FoundPath[], most = 50): PathHit[] {
  const wanted = typed.trim().toLowerCase();
  return paths
    .flatMap((found) => {
      const letters = lettersIn(found.path.toLowerCase(), wanted);
      return letters === null ? [] : [{ found, letters, score: scoreOf(found.path, letters) }];
    })
    .sort((a, b) => b.score - a.score || b.found.events - a.found.events || order(a.found.path, b.found.path))
    .slice(0, most)
    .map(({ found, letters }) => ({ found, letters }));
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The positions of the letters: together if they do so anywhere, at the beginning of a key if they can; else each as
 * early as it can.
 */
export function lettersIn(path: string, wanted: string): number[] | null {
  const atKey = `.${path}`.indexOf(`.${wanted}`);
  const whole = atKey === -1 || wanted === '' ? path.indexOf(wanted) : atKey;
  if (whole !== -1) {
    return Array.from({ length: Math.min(wanted.length, path.length - whole) }, (_, i) => whole + i);
  }
  const letters: number[] = [];
  let from = 0;
  for (const letter of wanted) {
    const at = path.indexOf(letter, from);
    if (at === -1) return null;
    letters.push(at);
    from = at + letter.length;
  }
  return letters;
}

const TOGETHER = 8;
const AT_KEY = 4;
const LAST_KEY = 3;

function scoreOf(path: string, letters: readonly number[]): number {
  const lastKey = path.lastIndexOf('.') + 1;
  const scores = letters.map((at, i) => {
    const isNext = i > 0 && at === letters[i - 1]! + 1;
    const isAtKey = at === 0 || path[at - 1] === '.';
    return (isNext ? TOGETHER : 0) + (isAtKey ? AT_KEY : 0) + (at >= lastKey ? LAST_KEY : 0);
  });
  return scores.reduce((sum, score) => sum + score, 0) - path.length / 100;
}
