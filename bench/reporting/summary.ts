/** The part of a run that is shown first: the cost of real webhooks, one figure and three numbers. */
import { aloneAnswers } from '../alone.js';
import { FRESH, KEPT, flatAnswers } from '../flat.js';
import { overPayload, payloadAnswers } from '../webhook-payloads.js';
import type { Answered } from '../running/ask.js';
import { figure, times } from './figures.js';
import type { Figure } from './plot.js';
import type { Summary } from './readme.js';

const SHOWN = [
  'eq',
  'starts_with',
  'range',
  'contains',
  'matches',
  'trees four deep',
  'eq, without the index',
];

export const costFigure = (answered: readonly Answered[]): Figure => ({
  title: 'Cost of deciding about an event of 1 KB, over JSON.parse of its text',
  across: 'rules',
  lines: SHOWN.map((name) => ({
    name,
    points: flatAnswers(answered)
      .filter(({ of }) => of.shape === name)
      .map(({ of, result }) => [of.rules, result.ratios[FRESH]!] as const),
  })).filter(({ points }) => points.length > 0),
  mark: { y: 1, name: '1 × JSON.parse' },
});

export const summary = (answered: readonly Answered[]): Summary => ({
  webhooks: webhooksOf(answered),
  figure: {
    path: 'bench/cost.svg',
    alt: 'Cost of an event over JSON.parse of its text, for ten to a hundred thousand rules',
  },
  sentence:
    'A rule set finds the rules that can match an event without trying them all. [All results](bench/RESULTS.md), with the machine and the goals that are missed; `npm run bench` measures them anew.',
  more: {
    head: ['', 'measured', 'beside'],
    rows: [
      flatRow(answered, 'eq'),
      flatRow(answered, 'trees four deep'),
      ...(hasTree(answered) ? [aloneRow(answered)] : []),
    ],
  },
});

const isMost = <A extends { readonly of: { readonly rules: number } }>(
  answer: A,
  _: number,
  all: readonly A[],
) => answer.of.rules === Math.max(...all.map(({ of }) => of.rules));

const count = (rules: number): string => rules.toLocaleString('en');

function webhooksOf(answered: readonly Answered[]): Summary['webhooks'] {
  const answers = payloadAnswers(answered).filter(isMost);
  const [first] = answers;
  if (first === undefined) throw new Error('no payloads were measured');
  return {
    sentence: `The cost of deciding about a real webhook: all payloads that GitHub publishes, 10 KB on average, against ${count(first.of.rules)} rules of each kind that name their paths. CPU time on one core, for matching and effects.`,
    head: ['rules', 'µs per event', 'over JSON.parse of the payload', 'rules that match'],
    rows: answers.map(({ of, result }) => [
      of.shape,
      figure(result.deciding),
      times(overPayload(result)),
      figure(result.matches),
    ]),
  };
}

function flatRow(answered: readonly Answered[], shape: string): [string, string, string] {
  const found = flatAnswers(answered)
    .filter(({ of }) => of.shape === shape)
    .find(isMost);
  if (found === undefined) throw new Error(`${shape} was not measured`);
  const { micros, ratios } = found.result;
  return [
    `an event of 1 KB against ${count(found.of.rules)} rules, ${shape === 'eq' ? 'one `eq` each' : shape}`,
    `${figure(micros[FRESH]!)} µs; ${figure(micros[KEPT]!)} µs with warm caches`,
    `${times(ratios[FRESH]!)}; ${times(ratios[KEPT]!)} JSON.parse of the event, ${figure(micros[0]!)} µs`,
  ];
}

const TREE = 'twelve nested leaves';

const hasTree = (answered: readonly Answered[]): boolean =>
  answered.some(({ answers }) => answers.some(({ of }) => of.tree === TREE));

function aloneRow(answered: readonly Answered[]): [string, string, string] {
  const { own, best } = aloneAnswers(answered, TREE);
  return [
    `one rule, ${TREE}`,
    `${figure(own.micros * 1_000)} ns`,
    `${figure(best.micros * 1_000)} ns by ${best.name}, the fastest other library without eval`,
  ];
}
