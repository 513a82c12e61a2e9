/**
 * Parsers for the columns that the store reads. They go with each query, so that a host that changes the parsers of its
 * driver, with `pg.types.setTypeParser` for example, changes nothing for the store.
 */
import type { PostgresTypes } from './pool.js';

/** Object ids of the types, see https://www.postgresql.org/docs/current/catalog-pg-type.html */
const BOOL = 16;
const BYTEA = 17;
const INT2 = 21;
const INT4 = 23;
const INT8_ARRAY = 1_016;

/** Parses a value in the text format of Postgres; integers of 64 bits and all other types stay text. */
function parseText(oid: number, text: string): unknown {
  switch (oid) {
    case BOOL:
      return text === 't';
    case INT2:
    case INT4:
      return Number(text);
    case BYTEA:
      return Buffer.from(text.slice(2), 'hex'); // after \x
    case INT8_ARRAY:
      return text === '{}' ? [] : text.slice(1, -1).split(',');
    default:
      return text;
  }
}

/**
 * The parsers of every query of the store. `pg` hands values over as text: the store refuses clients with `binary:
 * true`.
 */
export const columnTypes: PostgresTypes = {
  getTypeParser: (oid) => (value: string) => parseText(oid, value),
};
