/** The pages that the benches write. */
import { describe, expect, test } from 'vitest';
import { resultsText } from '../../bench/reporting/markdown.js';
import { type Summary, withSummary } from '../../bench/reporting/readme.js';
import type { Answered } from '../../bench/running/ask.js';
import { type Verdict, verdict } from '../../bench/running/question.js';

const answered = (name: string, verdicts: readonly Verdict[]): Answered => ({
  question: { name, title: `Title of ${name}`, cases: () => [], measure: () => null, report: () => report },
  answers: [],
  failures: [],
  report: { verdicts, tables: [{ title: `Figures of ${name}`, head: ['shape', 'µs'], rows: [['a', '1']] }] },
});
const report = { tables: [], verdicts: [] };

const show = (value: number): string => `${value} ms`;
const run = [
  answered('webhooks', [verdict('fast', 3, 2, show), verdict('faster', 1, 2, show)]),
  answered('flat', [verdict('flatter', 4, 5, show)]),
];

/** Each is found after the one before it. */
function expectInOrder(text: string, parts: readonly string[]): void {
  const positions = parts.map((part) => text.indexOf(part));
  expect(positions).not.toContain(-1);
  expect(positions).toEqual([...positions].sort((a, b) => a - b));
}

describe('the pages that a run of the benches writes', () => {
  test('begin with figures and a picture, and end with the goals that are missed and those that are met', () => {
    expectInOrder(resultsText(run, ['a machine']), [
      '1 of 3 goals are met',
      '### Figures of webhooks',
      '![',
      '### Figures of flat',
      'a machine',
      '## Missed goals',
      '| faster | 1 ms | 2 ms | webhooks |',
      '| flatter | 4 ms | 5 ms | flat |',
      '## Goals that are met',
      '| fast | 3 ms | 2 ms | webhooks |',
    ]);
  });

  test('say so where no goal is missed, and name the cases without an answer beside their question', () => {
    const failures = [{ of: { shape: 'eq' }, reason: 'a wrong decision' }];
    const text = resultsText([{ ...answered('flat', []), failures }], []);
    expectInOrder(text, [
      '## Title of flat',
      '**No answer** for eq: a wrong decision',
      '## Missed goals\n\nNone.',
    ]);
  });

  test('give the README its numbers and a figure, between its marks, and leave all else alone', () => {
    const summary: Summary = {
      figure: { path: 'cost.svg', alt: 'Cost' },
      head: ['', 'measured'],
      rows: [['one rule', '9 ns']],
    };
    const around = (block: string): string =>
      `before\n<!-- written by npm run bench -->\n${block}\n<!-- end -->\nafter`;
    const text = withSummary(around('old'), summary);
    expectInOrder(text, ['before', '| one rule | 9 ns |', '![Cost](cost.svg)', '<!-- end -->', 'after']);
    expect(text).not.toContain('old');
    expect(withSummary(text, summary)).toBe(text);
    expect(() => withSummary('no marks', summary)).toThrow('README.md has no');
  });
});
