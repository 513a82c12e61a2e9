/**
 * Measures rule sets and events that the index was not made for.
 *
 *     npx tsx bench/cliffs.ts [--cliff "a grid"] [--quick]
 *
 * Each case is measured over JSON.parse of its own events, which may be large, and over ten of the same rules, in turn.
 */
import { compileRules } from '../src/index.js';
import { cliffNamed, cliffs, spreadOf } from './cliffs/cliffs.js';
import { figure, times } from './reporting/figures.js';
import { pass, type Passed } from './running/gate.js';
import { askIfMain } from './running/main.js';
import { type Answer, type Case, NO_CODE_FROM_STRINGS, type Question } from './running/question.js';
import { overParsing } from './running/over-parsing.js';
import type { Compared } from './running/rounds.js';
import { Random } from './webhooks/random.js';

interface CliffCase extends Case {
  readonly cliff: string;
}
type CliffResult = Compared & Passed & { readonly rules: number };

const FEW = 10;
/** An event may cost as much as its parsing, or where that is cheap, a few times what ten rules do. */
const MOST_OVER_PARSING = 1;
const MOST_OVER_FEW = 5;

export const cliffsQuestion: Question<CliffCase, CliffResult> = {
  name: 'cliffs',
  title: 'No cliff: rule sets and events at which indexes fall',
  cases: (quick) => cliffs.filter((_, nth) => !quick || nth % 4 === 2).map(({ name }) => ({ cliff: name })),
  smokeCases: () =>
    ['a thousand bounds on one path', 'prefixes of lengths 1 to 2,000'].map((cliff) => ({ cliff })),
  flags: () => [NO_CODE_FROM_STRINGS],
  measure({ cliff: name }, effort) {
    const { rules, texts } = cliffNamed(name).make(new Random(11));
    const ruleSet = compileRules(rules);
    const passed = pass(ruleSet, rules, texts);
    const fewRules = spreadOf(rules, FEW);
    const few = compileRules(fewRules);
    pass(few, fewRules, texts);
    const compared = overParsing(
      texts,
      [(event) => ruleSet.evaluate(event), (event) => few.evaluate(event)],
      effort,
    );
    return { ...compared, ...passed, rules: rules.length };
  },
  report: (answers) => ({
    tables: [
      {
        title: 'An event, CPU µs, over its JSON.parse, and over ten of the same rules',
        head: [
          '',
          'rules',
          'matches',
          'JSON.parse',
          'ten rules',
          'all rules',
          'over JSON.parse',
          'over ten rules',
        ],
        rows: answers.map(rowOf),
      },
    ],
    verdicts: answers.map(verdictOf),
  }),
};

const overFew = ({ ratios }: Compared): number => ratios[1]! / ratios[2]!;

function rowOf({ of, result }: Answer<CliffCase, CliffResult>): string[] {
  const { rules, matches, micros, ratios } = result;
  return [
    of.cliff,
    rules.toLocaleString('en'),
    figure(matches),
    ...[micros[0]!, micros[2]!, micros[1]!].map(figure),
    times(ratios[1]!),
    times(overFew(result)),
  ];
}

function verdictOf({ of, result }: Answer<CliffCase, CliffResult>) {
  const overParsing = result.ratios[1]!;
  const overTen = overFew(result);
  return {
    claim: of.cliff,
    limit: `${times(MOST_OVER_PARSING)} JSON.parse or ${times(MOST_OVER_FEW)} ten rules`,
    figure: `${times(overParsing)}, ${times(overTen)}`,
    holds: overParsing <= MOST_OVER_PARSING || overTen <= MOST_OVER_FEW,
  };
}

await askIfMain(cliffsQuestion);
