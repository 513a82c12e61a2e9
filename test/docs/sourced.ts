/** Tables of a document whose cells name their sources. */

/** A row of a table: what it asks, and the answer under each heading. */
export interface Row {
  readonly asks: string;
  /** Heading of the column to what the cell says; `undefined` where the row is too short. */
  readonly cells: ReadonlyMap<string, string | undefined>;
  /** How many cells the row has beyond the headings. */
  readonly surplus: number;
}

/** The rows of all tables that have a column `heading`. */
export function rowsWith(heading: string, text: string): Row[] {
  const tables = Array.from(
    text.matchAll(/^(\|.*)\n\| ?:?-.*\n((?:\|.*\n?)+)/gm),
    ([, head = '', body = '']) => ({
      headings: cellsOf(head).slice(1),
      lines: body.trimEnd().split('\n').map(cellsOf),
    }),
  );
  return tables
    .filter(({ headings }) => headings.includes(heading))
    .flatMap(({ headings, lines }) =>
      lines.map(([asks = '', ...cells]) => ({
        asks,
        cells: new Map(headings.map((name, nth) => [name, cells[nth]])),
        surplus: Math.max(0, cells.length - headings.length),
      })),
    );
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** The addresses that a document defines by `[name]: https://…`, by name. */
export const definitionsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(text.matchAll(/^\[([^\]]+)\]: (https:\S+)$/gm), ([, name = '', url = '']) => [name, url]),
  );

/** The names to which `[words][name]` refers. */
export const referencesOf = (text: string): string[] =>
  Array.from(text.matchAll(/\]\[([^\]]+)\]/g), ([, name = '']) => name);
