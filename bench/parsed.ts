/**
 * Measures the cost of deciding about events that were parsed before, over many different events in turn.
 *
 *     npx tsx bench/parsed.ts [eq in …] [--rules 100000] [--quick]
 *
 * Two thousand different events are parsed once. A pass decides about all of them; the best of seven passes counts,
 * over the best of seven that parse the same texts. It is how most people measure, and it leaves out what fresh events
 * cost: `flat` counts that. What a rule that matches costs shows most, since the events meet more rules than caches
 * hold.
 */
import { compileRules } from '../src/index.js';
import { figure, times } from './reporting/figures.js';
import { bestOf, passOver } from './running/best-of.js';
import { pass, type Passed } from './running/gate.js';
import { askIfMain } from './running/main.js';
import {
  type Answer,
  type Case,
  NO_CODE_FROM_STRINGS,
  type Question,
  type Verdict,
  verdict,
} from './running/question.js';
import { parseEvent } from './webhooks/events.js';
import { parsedShapeNamed, parsedShapes, type ParsedShape } from './webhooks/parsed-shapes.js';
import { workloadOf } from './webhooks/workload.js';

interface ParsedCase extends Case {
  readonly shape: string;
  readonly rules: number;
}

interface ParsedResult extends Passed {
  /** CPU microseconds of an event: parsing it, deciding about it. */
  readonly parsing: number;
  readonly deciding: number;
  /** The average size of the texts. */
  readonly bytes: number;
}

type ParsedAnswer = Answer<ParsedCase, ParsedResult>;

const QUICK = ['eq', 'in', 'range', 'trees four deep'];

export const parsed: Question<ParsedCase, ParsedResult> = {
  name: 'parsed',
  title: 'Parsed: two thousand different events that were parsed before',
  cases: (quick) =>
    parsedShapes
      .filter(({ name }) => !quick || QUICK.includes(name))
      .flatMap(({ name, sizes }) =>
        sizes.filter((size) => !quick || size < 100_000).map((rules) => ({ shape: name, rules })),
      ),
  smokeCases: () => parsedShapes.map(({ name, sizes }) => ({ shape: name, rules: sizes[0]! })),
  flags: () => [NO_CODE_FROM_STRINGS],
  measure({ shape: name, rules: count }, { warmUpMicros }) {
    const shape = parsedShapeNamed(name);
    const { rules, texts } = workloadOf(shape, { rules: count, events: shape.events });
    const ruleSet = compileRules(rules);
    const passed = pass(ruleSet, rules, texts);
    const events = texts.map(parseEvent);
    const [parsing, deciding] = bestOf(
      [passOver(texts, parseEvent), passOver(events, (event) => ruleSet.evaluate(event))],
      warmUpMicros,
    );
    return {
      ...passed,
      parsing: parsing! / texts.length,
      deciding: deciding! / texts.length,
      bytes: texts.reduce((sum, text) => sum + text.length, 0) / texts.length,
    };
  },
  report: (answers) => ({
    tables: [
      {
        title: 'An event that was parsed before, match and effects, over JSON.parse of its text',
        head: ['rules', 'count', 'over JSON.parse', 'µs', 'JSON.parse, µs', 'bytes', 'hit', 'matches'],
        rows: answers.map(rowOf),
        note: 'hit: how many of the events a rule matched; matches: how many rules matched an event, on average.',
      },
    ],
    verdicts: parsedShapes.flatMap((shape) =>
      verdictsOf(
        shape,
        answers.filter(({ of }) => of.shape === shape.name),
      ),
    ),
  }),
};

const overParsing = ({ parsing, deciding }: ParsedResult): number => deciding / parsing;

const rowOf = ({ of, result }: ParsedAnswer): string[] => [
  of.shape,
  of.rules.toLocaleString('en'),
  times(overParsing(result)),
  figure(result.deciding),
  figure(result.parsing),
  figure(result.bytes),
  `${Math.round(result.hit * 100)} %`,
  figure(result.matches),
];

function verdictsOf(shape: ParsedShape, answers: readonly ParsedAnswer[]): Verdict[] {
  const { limit, name } = shape;
  switch (limit.of) {
    case 'parsing':
      return answers.map(({ of, result }) =>
        verdict(
          `${name}: ${of.rules.toLocaleString('en')} rules over JSON.parse, ${figure(result.matches)} matching`,
          limit.limit(result.matches),
          overParsing(result),
          times,
        ),
      );
    case 'rule':
      return answers.map(({ of, result }) =>
        verdict(
          `${name}: each of ${of.rules.toLocaleString('en')} rules`,
          limit.nanos,
          (result.deciding * 1_000) / of.rules,
          (nanos) => `${figure(nanos)} ns`,
        ),
      );
    case 'growth':
      return growthOf(shape, answers, limit.times);
  }
}

function growthOf({ name, sizes }: ParsedShape, answers: readonly ParsedAnswer[], most: number): Verdict[] {
  const [few, many] = [sizes[0], sizes.at(-1)].map((size) => answers.find(({ of }) => of.rules === size));
  if (few === undefined || many === undefined) return [];
  const claim = `${name}: ${many.of.rules.toLocaleString('en')} over ${few.of.rules.toLocaleString('en')}`;
  return [verdict(claim, most, many.result.deciding / few.result.deciding, times)];
}

await askIfMain(parsed);
