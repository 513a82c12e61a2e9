/** HTML as values: whatever is put into a template is escaped, unless it is HTML itself. */

/** A piece of HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (part: Part): string => {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(escaped).join('');
  return `${part}`.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
};

/** A template; lists are joined. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(String.raw({ raw: texts }, ...parts.map(escaped)));

/** Plain text in which `` `code` `` is in back quotes. */
export const marked = (text: string): readonly Html[] =>
  text.split('`').map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
