/**
 * Compares a thousand patterns on one path, which have no text in common, with ten of them.
 *
 *     npx tsx bench/many-patterns.ts [--events hits|misses] [--quick]
 *
 * The texts are about 1 KB. In `hits` each is met by one pattern or more of the first ten, in `misses` by none at all.
 * All sizes are measured in one process, in turn.
 */
import { compileRules, type Rule } from '../src/index.js';
import { figure, times } from './reporting/figures.js';
import { pass } from './running/gate.js';
import { askIfMain } from './running/main.js';
import {
  type Answer,
  type Case,
  NO_CODE_FROM_STRINGS,
  type Question,
  type Verdict,
  verdict,
} from './running/question.js';
import { compare, type Compared, looping } from './running/rounds.js';
import { parseEvent } from './webhooks/events.js';
import { PATTERN_SET_SIZES as SIZES, patternSet } from './webhooks/pattern-sets.js';

interface PatternCase extends Case {
  readonly events: 'hits' | 'misses';
}

/** Events that are all different: with few of them the automata would know each text by heart. */
const EVENTS = 2_000;

const MOST_GROWTH = 4;

export const manyPatterns: Question<PatternCase, Compared> = {
  name: 'many-patterns',
  title: 'Many patterns on one path, without a text in common',
  cases: () => [{ events: 'hits' }, { events: 'misses' }],
  smokeCases: () => [{ events: 'hits' }],
  flags: () => [NO_CODE_FROM_STRINGS],
  measure({ events }, effort) {
    const { rules, texts } = patternSet(events, EVENTS);
    const parsed = texts.map(parseEvent);
    const sides = SIZES.map((size) => {
      const few = rules.slice(0, size);
      const ruleSet = compileRules(few);
      expectHits(events === 'hits', few, texts);
      return looping(parsed, (event) => ruleSet.evaluate(event), effort.roundMicros);
    });
    return compare(sides, effort);
  },
  report: (answers) => ({
    tables: [
      {
        title: 'An event of 1 KB of text, CPU µs',
        head: ['events', ...SIZES.map((size) => `${size.toLocaleString('en')} patterns`), '1,000 over 10'],
        rows: answers.map(({ of, result }) => [
          of.events,
          ...result.micros.map(figure),
          times(result.ratios[2]!),
        ]),
      },
    ],
    verdicts: answers.map(verdictOf),
  }),
};

function expectHits(hit: boolean, rules: readonly Rule[], texts: readonly string[]): void {
  const passed = pass(compileRules(rules), rules, texts);
  if (passed.hit !== (hit ? 1 : 0)) throw new Error(`${passed.hit * 100} % of the events hit`);
}

const verdictOf = ({ of, result }: Answer<PatternCase, Compared>): Verdict =>
  verdict(`1,000 patterns over 10, ${of.events}`, MOST_GROWTH, result.ratios[2]!, times);

await askIfMain(manyPatterns);
