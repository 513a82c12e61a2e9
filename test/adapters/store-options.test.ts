/** Options that stores refuse. */
import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { createPostgresStore } from '../../src/adapters/postgres/index.js';
import { createSqliteStore } from '../../src/adapters/sqlite/index.js';
import { OptionError } from '../../src/delivery/index.js';

const factories: Readonly<Record<string, { create: (options: unknown) => unknown; option: string }>> = {
  createMemoryStore: { create: (options) => createMemoryStore(options as object), option: 'keepFinished' },
  createSqliteStore: { create: (options) => createSqliteStore(options as { path: string }), option: 'path' },
  createPostgresStore: {
    create: (options) => createPostgresStore(options as { pool: never }),
    option: 'pool',
  },
};

const notOptions: readonly unknown[] = [
  ...['postgres://user:password@host/db', '/tmp/deliveries.db', 5, null],
  ...[['x'], new Map([['path', '/tmp/deliveries.db']]), Promise.resolve({}), () => undefined],
];

describe.for(Object.entries(factories))('%s', ([name, { create, option }]) => {
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

  test('takes no option that it does not know, and names all of these', () => {
    expect(() => create({ pol: 1, file: 'password' })).toThrow(
      new RegExp(`^${name} has no option pol, file: give some of .*${option}`),
    );
  });
});
