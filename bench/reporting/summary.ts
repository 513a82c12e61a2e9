/** The part of a run that is shown first: one figure and three numbers. */
import { aloneAnswers } from '../alone.js';
import { FRESH, flatAnswers } from '../flat.js';
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
  figure: {
    path: 'bench/cost.svg',
    alt: 'Cost of an event over JSON.parse of its text, for ten to a hundred thousand rules',
  },
  head: ['CPU time on one core', 'measured', 'beside'],
  rows: [
    webhookRow(answered, 'eq'),
    webhookRow(answered, 'trees four deep'),
    ...(hasTree(answered) ? [aloneRow(answered)] : []),
  ],
});

const isMost = <A extends { readonly of: { readonly rules: number } }>(
  answer: A,
  _: number,
  all: readonly A[],
) => answer.of.rules === Math.max(...all.map(({ of }) => of.rules));

const count = (rules: number): string => rules.toLocaleString('en');

function webhookRow(answered: readonly Answered[], shape: string): [string, string, string] {
  const found = payloadAnswers(answered)
    .filter(({ of }) => of.shape === shape)
    .find(isMost);
  if (found === undefined) throw new Error(`${shape} was not measured`);
  return [
    `a webhook from GitHub, 10 KB on average, against ${count(found.of.rules)} rules, ${shape === 'eq' ? 'one `eq` each' : shape}`,
    `${figure(found.result.deciding)} µs`,
    `${times(overPayload(found.result))} JSON.parse of it`,
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
