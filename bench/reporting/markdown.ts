/** Reports as Markdown. */
import type { Answered } from '../running/ask.js';
import type { Table, Verdict } from '../running/question.js';

const cell = (text: string): string => text.replaceAll('|', '\\|');
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** The first column is text, the others are figures. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? ':--' : '--:'));
  return [row(head), row(rule), ...rows.map(row)].join('\n');
}

const tableSection = ({ title, head, rows, note }: Table): string =>
  [`### ${title}`, tableText(head, rows), ...(note === undefined ? [] : [note])].join('\n\n');

const questionText = ({ question, report, failures }: Answered): string =>
  [
    `## ${question.title}`,
    `\`npx tsx bench/${question.name}.ts\``,
    ...failures.map(({ of, reason }) => `**No answer** for ${Object.values(of).join(', ')}: ${cell(reason)}`),
    ...report.tables.filter(({ rows }) => rows.length > 0).map(tableSection),
  ].join('\n\n');

interface Goal extends Verdict {
  /** The file that measured it. */
  readonly bench: string;
}

const goalsText = (title: string, goals: readonly Goal[]): string[] => [
  `## ${title}`,
  goals.length === 0
    ? 'None.'
    : tableText(
        ['goal', 'at most', 'measured', 'by'],
        goals.map(({ claim, limit, figure, bench }) => [claim, limit, figure, bench]),
      ),
];

const PICTURE = '![Cost of an event over JSON.parse, by number of rules](cost.svg)';

/**
 * All of a run: the figures and a picture, question by question; then the goals that are missed, and those that are
 * met.
 */
export function resultsText([first, ...rest]: readonly Answered[], circumstances: readonly string[]): string {
  const answered = first === undefined ? [] : [first, ...rest];
  const goals = answered.flatMap(({ question, report }) =>
    report.verdicts.map((verdict): Goal => ({ ...verdict, bench: question.name })),
  );
  const missed = goals.filter(({ holds }) => !holds);
  const met = goals.filter(({ holds }) => holds);
  return `${[
    '# Results',
    `Written by \`npm run bench\`; nothing here is typed by hand. Every figure is CPU time of all threads; both sides of a ratio take turns in one process; every answer is checked before it is timed. ${met.length} of ${goals.length} goals are met; the [missed ones](#missed-goals) are listed at the end.`,
    ...answered.slice(0, 1).map(questionText),
    PICTURE,
    ...rest.map(questionText),
    '## Machine',
    circumstances.map((line) => `- ${line}`).join('\n'),
    ...goalsText('Missed goals', missed),
    ...goalsText('Goals that are met', met),
  ].join('\n\n')}\n`;
}
