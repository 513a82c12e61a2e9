/** The part of the README that a run writes. */
import { tableText } from './markdown.js';

const BEGIN = '<!-- written by npm run bench -->';
const END = '<!-- end -->';

interface Rows {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The cost of real webhooks, then a figure and a few more numbers. */
export interface Summary {
  readonly webhooks: Rows & { readonly sentence: string };
  readonly figure: { readonly path: string; readonly alt: string };
  readonly sentence: string;
  readonly more: Rows;
}

/** The README with the summary between its two marks. */
export function withSummary(readme: string, { webhooks, figure, sentence, more }: Summary): string {
  const [start, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`README.md has no ${BEGIN} … ${END}`);
  const block = [
    webhooks.sentence,
    tableText(webhooks.head, webhooks.rows),
    `![${figure.alt}](${figure.path})`,
    sentence,
    tableText(more.head, more.rows),
  ].join('\n\n');
  return `${readme.slice(0, start)}${BEGIN}\n${block}\n${readme.slice(end)}`;
}
