/**
 * Long lists of values, in pages. A change rebuilds one page, and whatever was derived from the others stays, so that
 * writing in a list of a hundred thousand values costs about as much as in a list of a hundred.
 */

/** The JSON texts of neighbouring values. Pages are never changed, so they name what is derived from them. */
export type ValuePage = readonly string[];

export const PAGE_SIZE = 100;
/** Longer lists are kept in pages. */
export const MOST_UNPAGED = 500;

/** Divides texts into pages. */
export const pagesOf = (texts: readonly string[]): ValuePage[] =>
  Array.from({ length: Math.ceil(texts.length / PAGE_SIZE) }, (_, page) =>
    texts.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
  );

export const countOf = (pages: readonly ValuePage[]): number =>
  pages.reduce((sum, page) => sum + page.length, 0);

/** The pages with more values at their end. */
export function withValues(pages: readonly ValuePage[], texts: readonly string[]): ValuePage[] {
  const last = pages.at(-1);
  const hasRoom = last !== undefined && last.length < PAGE_SIZE;
  return hasRoom ? [...pages.slice(0, -1), ...pagesOf([...last, ...texts])] : [...pages, ...pagesOf(texts)];
}

/** The pages without one value; a page that it leaves empty goes with it. */
export function withoutValue(pages: readonly ValuePage[], page: number, index: number): ValuePage[] {
  const rest = (pages[page] ?? []).filter((_, at) => at !== index);
  return rest.length === 0 ? pages.toSpliced(page, 1) : pages.with(page, rest);
}

/** A value that was found: its page, its index in that, and its JSON text. */
export interface FoundValue {
  readonly page: number;
  readonly index: number;
  readonly text: string;
}

/** The first values whose JSON holds a text, up to some number of them. */
export function valuesWith(pages: readonly ValuePage[], typed: string, most: number): FoundValue[] {
  const wanted = JSON.stringify(typed).slice(1, -1);
  const found: FoundValue[] = [];
  for (const [page, texts] of pages.entries()) {
    for (const [index, text] of texts.entries()) {
      if (!text.includes(wanted)) continue;
      found.push({ page, index, text });
      if (found.length === most) return found;
    }
  }
  return found;
}

const parsed = new WeakMap<ValuePage, readonly unknown[]>();

/** Takes the values of a list that is at hand, so that they are not read again. */
export function remember(pages: readonly ValuePage[], values: readonly unknown[]): void {
  for (const [nth, page] of pages.entries()) {
    parsed.set(page, values.slice(nth * PAGE_SIZE, nth * PAGE_SIZE + page.length));
  }
}

/** The values themselves. */
export const valuesOf = (pages: readonly ValuePage[]): unknown[] => pages.flatMap(valuesOfPage);

function valuesOfPage(page: ValuePage): readonly unknown[] {
  const values = parsed.get(page) ?? (JSON.parse(`[${page.join(',')}]`) as unknown[]);
  parsed.set(page, values);
  return values;
}
