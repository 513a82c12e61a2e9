/** Reports on a terminal. */
import Table from 'cli-table3';
import color from 'picocolors';
import type { Answered } from '../running/ask.js';
import type { Table as Content, Verdict } from '../running/question.js';

const NOTHING = Object.fromEntries(
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid'
    .split(' ')
    .map((side) => [side, '']),
);

/** Columns and nothing else. */
function print(head: readonly string[], rows: readonly (readonly string[])[], texts = 1): void {
  const table = new Table({
    head: [...head],
    chars: { ...NOTHING, middle: '  ' },
    style: {
      head: color.isColorSupported ? ['gray'] : [],
      border: [],
      'padding-left': 0,
      'padding-right': 0,
    },
    colAligns: head.map((_, column) => (column < texts ? 'left' : 'right')),
  });
  table.push(...rows.map((row) => [...row]));
  console.log(table.toString());
}

export function printAnswered({ question, failures, report: { tables, verdicts } }: Answered): void {
  console.log(`\n${color.bold(color.cyan(question.title))}`);
  tables.filter(({ rows }) => rows.length > 0).forEach(printTable);
  if (verdicts.length > 0) printVerdicts(verdicts);
  for (const { of, reason } of failures) {
    console.log(color.red(`\nNo answer for ${Object.values(of).join(', ')}: ${reason}`));
  }
}

function printTable({ title, head, rows, note }: Content): void {
  console.log(`\n${color.bold(title)}\n`);
  print(head, rows);
  if (note !== undefined) console.log(color.gray(`\n${note}`));
}

function printVerdicts(verdicts: readonly Verdict[]): void {
  console.log(`\n${color.bold('Claims')}\n`);
  const rows = verdicts.map(({ claim, limit, figure, holds }) => [
    holds ? color.green('holds') : color.red('fails'),
    claim,
    limit,
    figure,
  ]);
  print(['', 'claim', 'limit', 'measured'], rows, 2);
}
