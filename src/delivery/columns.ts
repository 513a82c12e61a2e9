/**
 * Columns that the user of a store defines: a tenant's id beside each delivery, say, for filters and for SQL of their
 * own.
 */
import { type Check, invalid, isPlainObject, kindOf } from './arguments.js';

/** `text`, or a whole number of up to 53 bits. Any column may be `null`. */
export type ColumnType = 'text' | 'integer';

/** The type of each column, by its name: small letters, digits and `_`, beginning with a letter, at most 48 of them. */
export type ColumnTypes = Readonly<Record<string, ColumnType>>;

/** The value of a column. */
export type ColumnValue = string | number | null;

/** Values by the names of their columns. */
export type ColumnValues = Readonly<Record<string, ColumnValue>>;

const NAME = /^[a-z][a-z0-9_]{0,47}$/;
const TYPES: readonly unknown[] = ['text', 'integer'] satisfies readonly ColumnType[];

/** Names of the columns that the stores' own tables have. */
const OWN = new Set([
  ...['number', 'id', 'event_id', 'event_type', 'endpoint_id', 'origin', 'replay_of', 'state', 'attempts'],
  ...[
    'due_at',
    'lease',
    'history',
    'created_at',
    'finished_at',
    'dead_letter',
    'body',
    'body_bytes',
    'added',
    'ordering_key',
    'holds_key',
    'waiting_due_at',
  ],
  ...['failure', 'status', 'oid', 'rowid', '_rowid_', 'ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'],
]);

/** Accepts definitions of columns. */
export const columnTypes: Check = (name, value) => {
  if (!isPlainObject(value)) {
    throw invalid(`${name} is ${kindOf(value)}: give names with their types, such as { tenant_id: 'text' }`);
  }
  for (const [column, type] of Object.entries(value)) {
    if (!NAME.test(column)) {
      throw invalid(`${name} has an invalid name: give up to 48 small letters, digits and _, a letter first`);
    }
    if (OWN.has(column)) {
      throw invalid(`${name}.${column} is a column of the store itself: give another name`);
    }
    if (!TYPES.includes(type)) {
      throw invalid(`${name}.${column} is ${kindOf(type)}: give 'text' or 'integer'`);
    }
  }
};

/** Accepts values of columns, whatever the columns of the store. */
export const columnValues: Check = (name, value) => {
  if (!isPlainObject(value)) {
    throw invalid(`${name} is ${kindOf(value)}: give values by the names of columns`);
  }
  for (const [column, one] of Object.entries(value)) {
    if (one === null || typeof one === 'string' || Number.isSafeInteger(one)) continue;
    throw invalid(`${name}.${column} is ${kindOf(one)}: give text, a whole number or null`);
  }
};

/** NUL and halves of characters, which databases refuse or garble. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** The columns of one store. */
export class Columns {
  readonly names: readonly string[];
  readonly #types: ColumnTypes;

  /** @param types - Checked by {@link columnTypes}. */
  constructor(types: ColumnTypes = {}) {
    this.#types = types;
    this.names = Object.keys(types);
  }

  get types(): ColumnTypes {
    return this.#types;
  }

  /**
   * Refuses values that the columns cannot hold.
   *
   * @param name - The name of the values, for messages.
   * @throws {@link OptionError} `invalid_option`, naming the column.
   */
  assert(name: string, values: ColumnValues = {}): void {
    for (const [column, value] of Object.entries(values)) {
      const type = Object.hasOwn(this.#types, column) ? this.#types[column] : undefined;
      if (type === undefined) {
        const known = this.names.length === 0 ? 'it has none' : `give some of ${this.names.join(', ')}`;
        throw invalid(`${name}.${column}: the store was not given this column; ${known}`);
      }
      if (value === null) continue;
      if (type === 'text' ? typeof value !== 'string' : typeof value !== 'number') {
        throw invalid(
          `${name}.${column} is ${kindOf(value)}: give ${type === 'text' ? 'text' : 'an integer'}`,
        );
      }
      if (typeof value === 'string' && UNSTORABLE.test(value)) {
        throw invalid(
          `${name}.${column} has a NUL or half of a character: give text that a database can store`,
        );
      }
    }
  }

  /** All columns in their order; `null` for those without a value. */
  list(values: ColumnValues = {}): readonly ColumnValue[] {
    return this.names.map((name) => values[name] ?? null);
  }

  /** The member `columns` of a record; none if the store has no columns. */
  member(values: Readonly<Record<string, unknown>> = {}): { readonly columns?: ColumnValues } {
    if (this.names.length === 0) return {};
    const entries = this.names.map((name) => [name, this.#read(name, values[name] ?? null)] as const);
    return { columns: Object.fromEntries(entries) };
  }

  /** Integers may come as text from a driver. */
  #read(name: string, value: unknown): ColumnValue {
    if (value === null) return null;
    return this.#types[name] === 'integer' ? Number(value) : (value as string);
  }
}
