/**
 * Parsers for the columns that the store reads. They go with each query, so that a host that changes the parsers of its driver,
 * with `pg.types.setTypeParser` for example, changes nothing for the store.
 */
import type { PostgresTypes } from './pool.js';

/** Object ids of the types, see https://www.postgresql.org/docs/current/catalog-pg-type.html */
const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
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

/** Parses a value in the binary format, which a client of `pg` with `binary: true` asks for. */
function parseBinary(oid: number, bytes: Buffer): unknown {
  switch (oid) {
    case BOOL:
      return bytes[0] === 1;
    case INT2:
      return bytes.readInt16BE();
    case INT4:
      return bytes.readInt32BE();
    case INT8:
      return String(bytes.readBigInt64BE());
    case BYTEA:
      return Buffer.from(bytes);
    case INT8_ARRAY:
      return int8sOf(bytes);
    default:
      return bytes.toString();
  }
}

/** The elements of an array of one dimension without nulls: a header of 20 bytes, then a length of 4 before each element. */
const int8sOf = (bytes: Buffer): readonly string[] =>
  Array.from({ length: Math.max(Math.floor((bytes.length - 20) / 12), 0) }, (_, n) =>
    String(bytes.readBigInt64BE(24 + 12 * n)),
  );

/** The parsers of every query of the store. */
export const columnTypes: PostgresTypes = {
  getTypeParser: (oid, format) => (value: unknown) =>
    format === 'binary' || typeof value !== 'string'
      ? parseBinary(oid, value as Buffer)
      : parseText(oid, value),
};
