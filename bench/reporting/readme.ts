/** The part of the README that a run writes. */
import { tableText } from './markdown.js';

const BEGIN = '<!-- written by npm run bench -->';
const END = '<!-- end -->';

/** A figure and a few numbers. */
export interface Summary {
  readonly figure: { readonly path: string; readonly alt: string };
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The README with the summary between its two marks. */
export function withSummary(readme: string, { figure, head, rows }: Summary): string {
  const [start, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`README.md has no ${BEGIN} … ${END}`);
  const block = `${tableText(head, rows)}\n\n![${figure.alt}](${figure.path})`;
  return `${readme.slice(0, start)}${BEGIN}\n${block}\n${readme.slice(end)}`;
}
