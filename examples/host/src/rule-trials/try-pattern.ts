/** Tries a regular expression on sample texts, for its matches and for redact. Runs in a thread. */
import {
  compileRules,
  compileTransform,
  explainMatch,
  type PatternOptions,
  type Rule,
  RuleError,
  type TransformOp,
} from 'headgate';
import type { IsOver } from './given.js';
import type { TriedTexts } from './routes.js';

/** A pattern to try on texts. */
export interface GivenPattern {
  readonly pattern: string;
  readonly replace: string | null;
  readonly texts: readonly string[];
}

type Tried = TriedTexts['items'][number];

const MOST_RANGES = 100;
const MOST_REDACTED = 20_000;
const PATH = 'data.text';
const NOT_TRIED: Tried = { result: 'undecided', ranges: [], redacted: null };

const eventOf = (text: string) => ({ id: 'evt', type: 'sample', data: { text } });

/** @throws RuleError that names the members of the request. */
export function tryPattern(
  { pattern, replace, texts }: GivenPattern,
  patterns: PatternOptions | undefined,
  isOver: IsOver,
): TriedTexts {
  const bounds = patterns === undefined ? {} : { patterns };
  const redact = (replacement: string): TransformOp[] => [
    { op: 'redact', path: PATH, regex: pattern, replace: replacement },
  ];
  assertValid(() => compileTransform(redact(replace ?? '')));
  /** Applies redact to a text; `isDecided` is false if it met its budget. */
  const redacted = (
    text: string,
    replacement: string,
  ): { readonly text: string; readonly isDecided: boolean } => {
    const action = { type: 'transform', ops: redact(replacement) } as const;
    const rule: Rule = { id: 'tried', name: 'tried', stage: 'deliver', match: MATCH, action, priority: 0 };
    const { event, limits } = compileRules([rule], bounds).evaluate(eventOf(text));
    return { text: event.data.text, isDecided: limits.length === 0 };
  };
  return {
    items: texts.map((text, i) => {
      if (i > 0 && isOver()) return NOT_TRIED;
      const { leaves } = explainMatch({ path: PATH, op: 'matches', value: pattern }, eventOf(text), bounds);
      const marks = marksBeside(text);
      const marked = marks === null ? null : redacted(text, `${marks[0]}$&${marks[1]}`);
      return {
        result: leaves[0]?.result as Tried['result'],
        ranges: marks === null || marked?.isDecided !== true ? [] : rangesOf(marked.text, marks),
        redacted: replace === null ? null : redacted(text, replace).text.slice(0, MOST_REDACTED),
      };
    }),
  };
}

const MATCH = { path: PATH, op: 'exists' } as const;

/** Issues of an op name the members of the request: its pattern is `regex` in the op. */
function assertValid(compile: () => unknown): void {
  try {
    compile();
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const issues = error.issues.map((issue) => ({
      ...issue,
      pointer: issue.pointer.endsWith('/replace') ? '/replace' : '/pattern',
    }));
    throw new RuleError(issues);
  }
}

/** Two characters for private use that the text does not have; null if it has them all. */
function marksBeside(text: string): readonly [string, string] | null {
  const free: string[] = [];
  for (let unit = 0xe000; unit < 0xf8ff && free.length < 2; unit++) {
    const mark = String.fromCharCode(unit);
    if (!text.includes(mark)) free.push(mark);
  }
  const [begin, end] = free;
  return begin === undefined || end === undefined ? null : [begin, end];
}

/** The ranges of matches in a text, from a text in which each is between marks. */
function rangesOf(marked: string, [begin, end]: readonly [string, string]): [number, number][] {
  const ranges: [number, number][] = [];
  for (
    let at = marked.indexOf(begin);
    at >= 0 && ranges.length < MOST_RANGES;
    at = marked.indexOf(begin, at + 1)
  ) {
    const marks = ranges.length * 2;
    ranges.push([at - marks, marked.indexOf(end, at) - marks - 1]);
  }
  return ranges;
}
