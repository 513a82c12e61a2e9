/** What of a whole run is shown first: one figure and three numbers. */
import { aloneAnswers } from '../alone.js';
import { FRESH, KEPT, flatAnswers } from '../flat.js';
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
const MOST = 100_000;

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
  sentence:
    'A rule set finds the rules that can match an event without trying them all; CPU time, match and effects, on one core. [All results](bench/RESULTS.md), with the machine and what does not hold; `npm run bench` measures them anew.',
  rows: [flatRow(answered, 'eq'), flatRow(answered, 'trees four deep'), aloneRow(answered)],
});

function flatRow(answered: readonly Answered[], shape: string): [string, string, string] {
  const found = flatAnswers(answered).find(({ of }) => of.shape === shape && of.rules === MOST);
  if (found === undefined) throw new Error(`${shape} was not measured`);
  const { micros, ratios } = found.result;
  return [
    `an event against 100,000 rules, ${shape === 'eq' ? 'one `eq` each' : shape}`,
    `${figure(micros[FRESH]!)} µs; ${figure(micros[KEPT]!)} µs where the caches are warm`,
    `${times(ratios[FRESH]!)}; ${times(ratios[KEPT]!)} JSON.parse of the event, ${figure(micros[0]!)} µs`,
  ];
}

const TREE = 'twelve nested leaves';

function aloneRow(answered: readonly Answered[]): [string, string, string] {
  const { own, best } = aloneAnswers(answered, TREE);
  return [
    `one rule, ${TREE}`,
    `${figure(own.micros * 1_000)} ns`,
    `${figure(best.micros * 1_000)} ns by ${best.name}, the fastest other library without eval`,
  ];
}
