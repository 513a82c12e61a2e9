/** Figures as tables, with what they were measured beside. */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { DATABASES, type DatabaseName } from './whole.js';

/** The p-th part of ascending numbers. */
export const percentile = (sorted: readonly number[], p: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? NaN;

export const median = (numbers: readonly number[]): number =>
  percentile(
    [...numbers].sort((a, b) => a - b),
    0.5,
  );

/** A Markdown table. */
export function printTable(title: string, rows: readonly Readonly<Record<string, string | number>>[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const texts = [columns, ...rows.map((row) => columns.map((column) => `${row[column] ?? ''}`))];
  const widths = columns.map((_, i) => Math.max(...texts.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = texts;
  const rule = widths.map((width) => '-'.repeat(width));
  const load = loadavg()[0]?.toFixed(1) ?? '';
  console.log(`\n${title} (load of the machine ${load})\n`);
  console.log([line(head), line(rule), ...body.map(line)].join('\n'));
}

/** Options that all benches take. */
export function benchOptions(): {
  readonly isSmoke: boolean;
  readonly databases: readonly DatabaseName[];
  /** Part of the name of an attack; empty for all. */
  readonly attack: string;
  /** Name of a case; empty for all. */
  readonly one: string;
} {
  const { values } = parseArgs({
    options: {
      smoke: { type: 'boolean', default: false },
      only: { type: 'string' },
      attack: { type: 'string', default: '' },
      case: { type: 'string', default: '' },
    },
  });
  return {
    isSmoke: values.smoke,
    attack: values.attack,
    one: values.case,
    databases: DATABASES.filter((name) => values.only === undefined || values.only === name),
  };
}
