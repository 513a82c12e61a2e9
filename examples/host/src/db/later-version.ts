/** The error for tables that a later version of this program has made. */

/**
 * @param found - Version of the tables.
 * @param known - The last version that this program knows.
 */
export const laterVersion = (found: number, known: number): Error =>
  new Error(`the tables have version ${found}, and this program knows ${known}: run a later version of it`);
