/** The part of the README that a run writes. */

const BEGIN = '<!-- written by npm run bench -->';
const END = '<!-- end -->';

/** A figure, a sentence and a table of three numbers. */
export interface Summary {
  readonly figure: { readonly path: string; readonly alt: string };
  readonly sentence: string;
  readonly rows: readonly (readonly [what: string, measured: string, beside: string])[];
}

/** The README with the summary between its two marks. */
export function withSummary(readme: string, { figure, sentence, rows }: Summary): string {
  const [start, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`README.md has no ${BEGIN} … ${END}`);
  const block = [
    BEGIN,
    `![${figure.alt}](${figure.path})`,
    '',
    sentence,
    '',
    '| | measured | beside |',
    '|---|--:|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
  ].join('\n');
  return readme.slice(0, start) + block + readme.slice(end);
}
