/** Parsers of the host's driver: whatever they make of a column, the store reads what is stored. */
import pg from 'pg';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { createPostgresStore } from '../../../src/adapters/postgres/index.js';
import { deadLettersContract, deliveryStoreContract, retentionContract } from '../../../src/testing/index.js';
import { createPool, quoted, schemaName } from './schema.js';

/** Parsers that a host sets for all of its queries, by what they return. */
const hosts = {
  'bigints and numbers': (oid: number) => (text: string) =>
    oid === 20 ? BigInt(text) : oid === 23 ? Number(text) : text,
  'dates and trimmed text': (oid: number) => (text: string) =>
    oid === 20 ? new Date(Number(text)) : text.trim().toUpperCase(),
  nothing: () => () => null,
} as const;

describe.each(Object.entries(hosts))('with parsers that return %s', (_, parserOf) => {
  const schema = schemaName();
  const types: pg.CustomTypesConfig = { getTypeParser: parserOf };
  const plain = createPool();
  const pool = new pg.Pool({ connectionString: inject('postgres'), max: 4, types });
  const store = createPostgresStore({ pool, schema });
  beforeAll(() => store.migrate());
  afterAll(async () => {
    await plain.query(`drop schema ${quoted(schema)} cascade`);
    await Promise.all([pool.end(), plain.end()]);
  });
  const create = async () => {
    await plain.query(`truncate ${quoted(schema)}.deliveries, ${quoted(schema)}.bodies`);
    const one = createPostgresStore({ pool, schema });
    await one.migrate();
    return { store: one, deadLetters: one.deadLetters };
  };
  for (const contract of [deliveryStoreContract, deadLettersContract, retentionContract]) {
    // The largest body is read as a small one is, and takes long.
    const tests = contract(create).filter(({ name }) => !name.includes('32 MiB'));
    for (const { name, run } of tests) test(name, run);
  }
});
