/**
 * A store in a file: deliveries that survive their process.
 *
 * @module headgate/sqlite
 */
export type { SqliteDatabase, SqliteStatement, SqliteValue } from './driver.js';
export { openSqlite, type OpenSqliteOptions, type SqliteConnection } from './open.js';
export { storeErrorOf } from './transaction.js';
export { createSqliteStore, type SqliteStore, type SqliteStoreOptions } from './sqlite-store.js';
export type { SqliteDeadLetters } from './dead-letters.js';
export type { SqliteDueDates } from './make-due.js';
export type { SqliteRetention } from './retention.js';
export type { DueDates, MakeDueOptions, PendingFilter } from '../../delivery/make-due.js';
export type {
  DeleteDeliveriesOptions,
  DeletedCounts,
  DeleteFinishedOptions,
  DeliveryDeletion,
  Retention,
} from '../../delivery/retention.js';
export {
  HeadgateError,
  OptionError,
  type OptionErrorCode,
  StoreError,
  type StoreErrorCode,
} from '../../errors.js';
