/** Errors of the driver, told by code to hosts with statements of their own. */
import { expect, test } from 'vitest';
import { StoreError } from '../../../src/delivery/index.js';
import { openSqlite, storeErrorOf } from '../../../src/adapters/sqlite/index.js';
import { connect, newPath } from './files.js';

/** The error that a statement of a host throws while another connection writes. */
function thrown(sql: string): unknown {
  const path = newPath();
  const host = openSqlite({ path, lockTimeoutMs: 0 });
  host.database.exec('create table orders (id integer primary key) strict; insert into orders values (1)');
  const another = connect(path);
  another.exec('begin immediate');
  try {
    host.database.exec(sql);
    return null;
  } catch (error) {
    return error;
  } finally {
    host.close();
  }
}

test.for([
  ['insert into orders values (2)', 'store_locked'],
  ['select * from nothing', 'store_failed'],
] as const)('%s is %s, with the error of the driver as its cause', ([sql, code]) => {
  const cause = thrown(sql);
  expect(storeErrorOf(cause)).toMatchObject({ name: 'StoreError', code, cause });
});

test('an error of the package stays as it is', () => {
  const error = new StoreError('store_full', 'no room');
  expect(storeErrorOf(error)).toBe(error);
});
