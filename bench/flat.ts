/**
 * Measures the cost of deciding about an event as the number of rules grows, for each shape of rules.
 *
 *     npx tsx bench/flat.ts [--shape eq] [--rules 100000] [--quick]
 *
 * Match and effects of `ruleSet.evaluate`, over JSON.parse of the same event's text; about half of the events meet a
 * rule or a few. Events come fresh from the parser, as they do in service.
 */
import { compileRules } from '../src/index.js';
import { compileReferenceRules } from '../src/testing/index.js';
import { askIfMain } from './running/main.js';
import type { Answered } from './running/ask.js';
import { pass, type Passed } from './running/gate.js';
import { overParsing } from './running/over-parsing.js';
import {
  type Answer,
  type Case,
  NO_CODE_FROM_STRINGS,
  type Question,
  type Table,
  type Verdict,
  verdict,
} from './running/question.js';
import { figure, times } from './reporting/figures.js';
import type { Compared } from './running/rounds.js';
import { type LimitedShape as Shape, shapeNamed, shapes } from './webhooks/shapes.js';
import { workloadOf } from './webhooks/workload.js';

interface FlatCase extends Case {
  readonly shape: string;
  readonly rules: number;
}

type FlatResult = Compared & Passed;
type FlatAnswer = Answer<FlatCase, FlatResult>;

/** Explains the two times that overParsing prints: of an event that was fresh, and of one that was kept. */
export const FRESH = 1;
export const KEPT = 2;

const SIZES = [10, 100, 1_000, 10_000, 100_000];
const QUICK = ['eq', 'ends_with', 'range', 'contains', 'trees four deep'];
const EVENTS = 2_048;
const MOST_GROWTH = 5;
const EVENTS_MET: Readonly<Record<number, string>> = {
  [FRESH]: 'events fresh from the parser',
  [KEPT]: 'events met again',
};
const MOST_NANOS_A_RULE = 30;

export const flat: Question<FlatCase, FlatResult> = {
  name: 'flat',
  title: 'Flat: an event against more and more rules',
  cases: (quick) =>
    shapes
      .filter(({ name }) => !quick || QUICK.includes(name))
      .flatMap(({ name }) =>
        SIZES.filter((size) => !quick || size === 100 || size === 10_000).map((rules) => ({
          shape: name,
          rules,
        })),
      ),
  smokeCases: () => shapes.map(({ name }) => ({ shape: name, rules: 100 })),
  flags: () => [NO_CODE_FROM_STRINGS],
  measure({ shape: name, rules: count }, effort) {
    const { rules, texts } = workloadOf(shapeNamed(name), { rules: count, events: EVENTS });
    const ruleSet = shapeNamed(name).plainly ? compileReferenceRules(rules) : compileRules(rules);
    const passed = pass(ruleSet, rules, texts);
    return { ...passed, ...overParsing(texts, [(event) => ruleSet.evaluate(event)], effort) };
  },
  report: (answers) => ({
    tables: [ratioTable(answers), keptTable(answers), microsTable(answers)],
    verdicts: shapes.flatMap((shape) => verdictsOf(shape, answers)),
  }),
};

/** The answers of a run to this question. */
export const flatAnswers = (answered: readonly Answered[]): readonly FlatAnswer[] =>
  (answered.find(({ question }) => question.name === flat.name)?.answers ?? []) as readonly FlatAnswer[];

const find = (answers: readonly FlatAnswer[], shape: string, rules: number): FlatResult | undefined =>
  answers.find(({ of }) => of.shape === shape && of.rules === rules)?.result;

/** A row for each shape, a column for each size that was measured. */
function table(
  answers: readonly FlatAnswer[],
  cell: (result: FlatResult) => string,
  more: Readonly<Record<string, (shape: Shape) => string>> = {},
): Pick<Table, 'head' | 'rows'> {
  const sizes = SIZES.filter((size) => answers.some(({ of }) => of.rules === size));
  const seen = shapes.filter(({ name }) => answers.some(({ of }) => of.shape === name));
  return {
    head: ['rules', ...sizes.map((size) => size.toLocaleString('en')), ...Object.keys(more)],
    rows: seen.map((shape) => [
      shape.name,
      ...sizes.map((size) => {
        const result = find(answers, shape.name, size);
        return result ? cell(result) : '';
      }),
      ...Object.values(more).map((column) => column(shape)),
    ]),
  };
}

const ratioTable = (answers: readonly FlatAnswer[]): Table => ({
  title: 'An event as it comes from the parser, match and effects, over JSON.parse of its text',
  ...table(answers, ({ ratios }) => times(ratios[FRESH]!), {
    hit: ({ name }) => last(answers, name, ({ hit }) => `${Math.round(hit * 100)} %`),
    matches: ({ name }) => last(answers, name, ({ matches }) => figure(matches)),
  }),
  note: 'hit: how many of the events a rule matched, with the most rules; matches: how many rules matched an event, on average. All 2,048 events differ. Each is parsed and decided about at once; what parsing alone took is subtracted.',
});

const keptTable = (answers: readonly FlatAnswer[]): Table => ({
  title: 'An event met again and again, over JSON.parse of its text',
  ...table(answers, ({ ratios }) => times(ratios[KEPT]!)),
  note: 'The same 256 parsed events in turn: they, and the rules that they meet, lie in the nearest caches.',
});

const microsTable = (answers: readonly FlatAnswer[]): Table => ({
  title: 'The same in CPU microseconds an event',
  ...table(answers, ({ micros }) => figure(micros[FRESH]!), {
    'JSON.parse': ({ name }) => last(answers, name, ({ micros }) => figure(micros[0]!)),
  }),
});

/** The cell of the result with the most rules. */
function last(answers: readonly FlatAnswer[], shape: string, cell: (result: FlatResult) => string): string {
  const results = answers.filter(({ of }) => of.shape === shape).map(({ result }) => result);
  return results.length === 0 ? '' : cell(results.at(-1)!);
}

function verdictsOf(shape: Shape, answers: readonly FlatAnswer[]): Verdict[] {
  const [few, many] = [find(answers, shape.name, 100), find(answers, shape.name, 100_000)];
  if (many === undefined || shape.plainly) return [];
  if (shape.limit === null) {
    const nanos = (many.micros[KEPT]! * 1_000) / 100_000;
    return [
      verdict(`${shape.name}: each of 100,000 rules`, MOST_NANOS_A_RULE, nanos, (n) => `${figure(n)} ns`),
    ];
  }
  const { limit, name } = shape;
  return [
    ...[KEPT, FRESH].map((which) =>
      verdict(
        `${name}: 100,000 rules over JSON.parse, ${EVENTS_MET[which]}`,
        limit,
        many.ratios[which]!,
        times,
      ),
    ),
    ...(few === undefined
      ? []
      : [KEPT, FRESH].map((which) =>
          verdict(
            `${name}: 100,000 rules over 100, ${EVENTS_MET[which]}`,
            MOST_GROWTH,
            many.ratios[which]! / few.ratios[which]!,
            times,
          ),
        )),
  ];
}

await askIfMain(flat);
