/** The table of runtimes, as Markdown. */
import { AREAS, type Area, type Report } from './checks/checks.js';

/** The reports of a runtime's runs. */
export interface Row {
  readonly name: string;
  readonly reports: readonly Report[];
}

/** How many checks of each part have passed on each runtime; a dash where the part does not belong. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [
    ['', ...AREAS],
    [':--', ...AREAS.map(() => '--:')],
    ...rows.map(({ name, reports }) => [name, ...AREAS.map((area) => cell(reports, area))]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cell(reports: readonly Report[], area: Area): string {
  const results = reports.flatMap((report) => report[area] ?? []);
  return results.length === 0 ? '–' : `${results.reduce((sum, { passed }) => sum + passed, 0)}`;
}
