/** Options that stores refuse. */
import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { createPostgresStore } from '../../src/adapters/postgres/index.js';
import { createSqliteStore } from '../../src/adapters/sqlite/index.js';
import { type DeliveryStore, newDelivery, OptionError } from '../../src/delivery/index.js';

interface Factory {
  readonly create: (options: unknown) => unknown;
  /** A name among those that the message lists. */
  readonly option: string;
  /** Options that it takes. */
  readonly known: object;
}

const factories: Readonly<Record<string, Factory>> = {
  createMemoryStore: {
    create: (options) => createMemoryStore(options as object),
    ...{ option: 'keepFinished', known: {} },
  },
  createSqliteStore: {
    create: (options) => createSqliteStore(options as { path: string }),
    ...{ option: 'path', known: { path: ':memory:' } },
  },
  createPostgresStore: {
    create: (options) => createPostgresStore(options as { pool: never }),
    ...{ option: 'pool', known: { pool: { query: () => null, connect: () => null } } },
  },
};

const notOptions: readonly unknown[] = [
  ...['postgres://user:password@host/db', '/tmp/deliveries.db', 5, null],
  ...[['x'], new Map([['path', '/tmp/deliveries.db']]), Promise.resolve({}), () => undefined],
];

describe.for(Object.entries(factories))('%s', ([name, { create, option, known }]) => {
  test.for(notOptions)('takes no %o, and says which options there are, quoting nothing', (given) => {
    expect(() => create(given)).toThrow(
      expect.objectContaining({
        constructor: OptionError,
        code: 'invalid_option',
        message: expect.stringMatching(new RegExp(`^${name} takes one object of options \\(.*${option}`)),
      }),
    );
    expect(() => create(given)).not.toThrow(/password|deliveries/);
  });

  test('refuses a dispatch whose body it could not read again, and says what to give', async () => {
    const store = create(known) as DeliveryStore;
    const deliveries = [newDelivery({ id: 'evt_1', type: 't' }, 'a', { at: 0 })];
    const dispatch = { body: new Uint8Array(1), deliveries };
    for (const storeBody of [false, 'no', null]) {
      await expect(store.enqueue([{ ...dispatch, storeBody: storeBody as boolean }])).rejects.toMatchObject({
        constructor: OptionError,
        code: 'invalid_option',
        message: expect.stringMatching(
          /storeBody is .*: (?:create the store with readBodies|give)/,
        ) as string,
      });
    }
  });

  test('takes no option that it does not know, and names all of these', () => {
    expect(() => create({ pol: 1, file: 'password' })).toThrow(
      new RegExp(`^${name} has no option pol, file: give some of .*${option}`),
    );
  });
});
