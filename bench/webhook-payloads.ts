/**
 * Measures the cost of deciding about real webhooks.
 *
 *     npx tsx bench/webhook-payloads.ts [eq in …] [--rules 100000] [--quick]
 *
 * Every payload that GitHub publishes as an example of its webhooks, 10 KB on average, and rules that name their paths:
 * three hundred rules name values that occur, all others values that do not. Payloads that were parsed before, in the
 * best of seven passes, and payloads fresh from the parser; both over JSON.parse of the very payload.
 */
import { compileRules } from '../src/index.js';
import { figure, times } from './reporting/figures.js';
import type { Answered } from './running/ask.js';
import { bestOf, passOver } from './running/best-of.js';
import { pass, type Passed } from './running/gate.js';
import { askIfMain } from './running/main.js';
import { overParsing } from './running/over-parsing.js';
import { type Answer, type Case, NO_CODE_FROM_STRINGS, type Question, verdict } from './running/question.js';
import { parseEvent } from './webhooks/events.js';
import { payloadShapeNamed, payloadShapes, payloadWorkload } from './webhooks/payload-shapes.js';

interface PayloadCase extends Case {
  readonly shape: string;
  readonly rules: number;
}

interface PayloadResult extends Passed {
  /** CPU microseconds of an event: parsing it, deciding about it. */
  readonly parsing: number;
  readonly deciding: number;
  /** Deciding about an event that the parser has just made, over parsing it. */
  readonly fresh: number;
}

type PayloadAnswer = Answer<PayloadCase, PayloadResult>;

export const MOST = 100_000;
const SIZES = [1_000, MOST];
const QUICK = ['eq', 'range', 'trees four deep'];

export const webhookPayloads: Question<PayloadCase, PayloadResult> = {
  name: 'webhook-payloads',
  title: 'Real webhooks: the payloads that GitHub publishes',
  cases: (quick) =>
    payloadShapes
      .filter(({ name }) => !quick || QUICK.includes(name))
      .flatMap(({ name }) =>
        SIZES.filter((size) => !quick || size < MOST).map((rules) => ({ shape: name, rules })),
      ),
  smokeCases: () => payloadShapes.map(({ name }) => ({ shape: name, rules: SIZES[0]! })),
  flags: () => [NO_CODE_FROM_STRINGS],
  measure({ shape, rules: count }, effort) {
    const { rules, texts } = payloadWorkload(payloadShapeNamed(shape), count);
    const ruleSet = compileRules(rules);
    const passed = pass(ruleSet, rules, texts);
    const events = texts.map(parseEvent);
    const [parsing, deciding] = bestOf(
      [passOver(texts, parseEvent), passOver(events, (event) => ruleSet.evaluate(event))],
      effort.warmUpMicros,
    );
    const [, fresh] = overParsing(texts, [(event) => ruleSet.evaluate(event)], effort).ratios;
    return { ...passed, parsing: parsing! / texts.length, deciding: deciding! / texts.length, fresh: fresh! };
  },
  report: (answers) => ({
    tables: [
      {
        title: 'An event with a payload of GitHub, match and effects, over JSON.parse of its text',
        head: [
          ...['rules', 'count', 'parsed before', 'fresh from the parser', 'µs', 'JSON.parse, µs'],
          ...['hit', 'matches'],
        ],
        rows: answers.map(rowOf),
        note: 'µs: of an event that was parsed before. hit: how many of the events a rule matched; matches: how many rules matched an event, on average.',
      },
    ],
    verdicts: answers.flatMap(({ of, result }) =>
      of.rules === MOST
        ? [
            verdict(
              `${of.shape}: 100,000 rules over JSON.parse of a payload of GitHub`,
              payloadShapeNamed(of.shape).limit,
              overPayload(result),
              times,
            ),
          ]
        : [],
    ),
  }),
};

/** The cost of deciding, over that of parsing. */
export const overPayload = ({ parsing, deciding }: PayloadResult): number => deciding / parsing;

const rowOf = ({ of, result }: PayloadAnswer): string[] => [
  of.shape,
  of.rules.toLocaleString('en'),
  times(overPayload(result)),
  times(result.fresh),
  figure(result.deciding),
  figure(result.parsing),
  `${Math.round(result.hit * 100)} %`,
  figure(result.matches),
];

/** The answers to this question in a run. */
export const payloadAnswers = (answered: readonly Answered[]): readonly PayloadAnswer[] =>
  (answered.find(({ question }) => question.name === webhookPayloads.name)?.answers ??
    []) as readonly PayloadAnswer[];

await askIfMain(webhookPayloads);
