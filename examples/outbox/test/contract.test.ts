/** A store whose writes are made in transactions of a library meets the contracts. */
import { createPostgresStore, type PostgresStoreOptions } from 'headgate/postgres';
import { columnsContract, deadLettersContract, dueDatesContract, orderingContract } from 'headgate/testing';
import { afterAll, describe, test } from 'vitest';
import { hosted } from '../../../test/adapters/postgres/hosted.js';
import { close, libraries, pool } from './libraries.js';

afterAll(close);

/** Schemas that no case uses: to make the tables takes longer than most cases. */
const idle: string[] = [];
const TABLES = ['attempts', 'bodies', 'deliveries', 'key_holders'];

describe.each(Object.entries(libraries))('in transactions of %s', (_name, { pay, inTransaction }) => {
  const create = async (options: Omit<PostgresStoreOptions, 'pool' | 'schema'> = {}) => {
    const schema = idle.pop() ?? `headgate_${crypto.randomUUID()}`;
    const real = createPostgresStore({ pool, schema, ...options });
    await real.migrate();
    const store = hosted(real, inTransaction);
    const another = () => Promise.resolve(createPostgresStore({ pool, schema }));
    const empty = async () => {
      await pool.query(`truncate ${TABLES.map((table) => `"${schema}".${table}`).join()}`);
      idle.push(schema);
    };
    return { store, deadLetters: store.deadLetters, another, close: empty };
  };

  describe('ordering keys', () => {
    for (const { name, run } of orderingContract(() => create())) test.concurrent(name, run);
  });

  describe('due dates', () => {
    for (const { name, run } of dueDatesContract(() => create())) test.concurrent(name, run);
  });

  // Other settings change only names and encodings, and the contracts above use all of them.
  if (pay === undefined) return;

  describe('columns', () => {
    const withHooks = (options: Parameters<Parameters<typeof columnsContract>[0]>[0]) =>
      create({
        ...options,
        onEnqueue: async (deliveries) => options.onEnqueue(deliveries),
        onSettle: async (settlements) => options.onSettle(settlements),
      });
    for (const { name, run } of columnsContract(withHooks)) test.concurrent(name, run);
  });

  describe('dead letters', () => {
    for (const { name, run } of deadLettersContract(() => create())) test.concurrent(name, run);
  });
});
