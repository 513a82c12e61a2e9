/** Lists that end early once their rows have enough bytes. */

/**
 * The first rows of a list: as many as have a given number of bytes together, and at least one. Both databases know the
 * size of a column without reading it, so what is left out is never read.
 *
 * @param rows - A select with the key of each row and its `bytes`, with a limit.
 * @param order - The order of the list, such as `id desc`.
 * @param most - The bytes, such as `$4`.
 * @returns A table in parentheses: the columns of `rows`, and `listed`, the number of its rows.
 */
export const upTo = (rows: string, order: string, most: string): string =>
  `(select * from (
      select sized.*, count(*) over () as listed,
        row_number() over (order by ${order}) as nth, sum(bytes) over (order by ${order}) as upto
      from (${rows}) as sized
    ) as counted where upto <= ${most} or nth = 1)`;

/** A row of a list that ends early. */
export interface ListedRow {
  /** Rows that there were before the bytes were counted. */
  readonly listed: number;
}
