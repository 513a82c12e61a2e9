/** The macros of the shared SQL, written out for each database. */
import type { Sql } from './port.js';

/** The databases. */
export type Dialect = 'sqlite' | 'postgres';

/**
 * The library's tables, and its conditions on dead letters and on leased deliveries, in the words by which their
 * indexes are found.
 */
const LIBRARY: Readonly<Record<Dialect, Readonly<Record<string, string>>>> = {
  sqlite: {
    '{deliveries}': 'headgate_deliveries',
    '{attempts}': 'headgate_attempts',
    '{dead}': 'dead_letter = 1',
    // The index of leases is by their ends.
    '{leased}': "state = 'leased' and due_at > 0",
  },
  postgres: {
    '{deliveries}': 'deliveries',
    '{attempts}': 'attempts',
    '{dead}': 'dead_letter',
    '{leased}': "state = 'leased'",
  },
};

/** `{rows $1: id text, at int}` and `in {list $1}`; no macro holds a brace. */
const MACRO = /(in )?\{(rows|list) (\$\d+)(?:: ([^{}]*))?\}/g;
const POSTGRES_TYPES: Readonly<Record<string, string>> = { text: 'text', int: 'bigint' };

/** The text of a statement for a database. */
export function textFor(sql: Sql, dialect: Dialect): string {
  const text = typeof sql === 'string' ? sql : sql[dialect];
  const written = text.replace(
    MACRO,
    (_, before: string | undefined, kind: string, value: string, columns: string | undefined) =>
      kind === 'list'
        ? inList(value, dialect)
        : (before ?? '') + rowsOf(value, columnsOf(columns ?? ''), dialect),
  );
  const whole = written.replace(
    /\{(?:deliveries|attempts|dead|leased)\}/g,
    (name) => LIBRARY[dialect][name] ?? name,
  );
  return dialect === 'sqlite' ? whole.replace(/\$(\d+)/g, '?$1') : whole;
}

/** A select whose rows nobody else changes before the transaction ends. SQLite has one writer at a time anyway. */
export const forUpdate = (select: string): Sql => ({ sqlite: select, postgres: `${select} for update` });

const columnsOf = (text: string): readonly (readonly [name: string, type: string])[] =>
  text.split(',').map((column) => {
    const [name = '', type = ''] = column.trim().split(' ');
    if (!(type in POSTGRES_TYPES)) throw new Error(`a column of {rows} needs a type, text or int: ${column}`);
    return [name, type];
  });

/**
 * Postgres looks up the elements of an array; for a sub-select it might read a whole table, until it has statistics.
 */
const inList = (value: string, dialect: Dialect): string =>
  dialect === 'sqlite'
    ? `in (select value from json_each(${value}))`
    : `= any (array(select jsonb_array_elements_text(${value}::jsonb)))`;

function rowsOf(value: string, columns: ReturnType<typeof columnsOf>, dialect: Dialect): string {
  if (dialect === 'postgres') {
    const types = columns.map(([name, type]) => `${name} ${POSTGRES_TYPES[type] ?? ''}`);
    return `json_to_recordset(${value}::json) as rows(${types.join(', ')})`;
  }
  const members = columns.map(([name]) => `value ->> '$.${name}' as ${name}`);
  return `(select ${members.join(', ')} from json_each(${value})) as rows`;
}
