/** Reports as Markdown. */
import type { Answered } from '../running/ask.js';
import type { Table, Verdict } from '../running/question.js';

const cell = (text: string): string => text.replaceAll('|', '\\|');
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

function tableText(head: readonly string[], rows: readonly (readonly string[])[], texts = 1): string {
  const rule = head.map((_, column) => (column < texts ? ':--' : '--:'));
  return [row(head), row(rule), ...rows.map(row)].join('\n');
}

const section = ({ title, head, rows, note }: Table): string =>
  [`### ${title}`, tableText(head, rows), ...(note === undefined ? [] : [note])].join('\n\n');

const verdictRow = ({ claim, limit, figure, holds }: Verdict): string[] => [
  claim,
  limit,
  figure,
  holds ? 'holds' : '**does not hold**',
];

function questionText({ question, report, failures }: Answered): string {
  return [
    `## ${question.title}`,
    `\`npx tsx bench/${question.name}.ts\``,
    ...(report.verdicts.length === 0
      ? []
      : [tableText(['claim', 'at most', 'measured', ''], report.verdicts.map(verdictRow))]),
    ...failures.map(({ of, reason }) => `**No answer** for ${Object.values(of).join(', ')}: ${cell(reason)}`),
    ...report.tables.filter(({ rows }) => rows.length > 0).map(section),
  ].join('\n\n');
}

/** All of a run: what of the claims holds first, then every table. */
export function resultsText(answered: readonly Answered[], circumstances: readonly string[]): string {
  const verdicts = answered.flatMap(({ report }) => report.verdicts);
  const held = verdicts.filter(({ holds }) => holds).length;
  return `${[
    '# Results',
    'Written by `npm run bench`; nothing here is typed by hand. Every figure is CPU time of all threads, the median over rounds in which both sides of a ratio take turns in one process; every answer is checked before it is timed.',
    circumstances.map((line) => `- ${line}`).join('\n'),
    `${held} of ${verdicts.length} claims hold.`,
    '![Cost of an event over JSON.parse, by number of rules](cost.svg)',
    ...answered.map(questionText),
  ].join('\n\n')}\n`;
}
