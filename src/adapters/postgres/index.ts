/**
 * A store in Postgres: deliveries that any number of processes share.
 *
 * @module headgate/postgres
 */
export { createPostgresStore, type PostgresStore, type PostgresStoreOptions } from './postgres-store.js';
export { storeErrorOf } from './failure.js';
export { type PostgresMigration, postgresMigrations } from './migrations.js';
export { type PostgresRows, postgresTransaction, type PostgresValue } from './transaction.js';
export type {
  PostgresClient,
  PostgresPool,
  PostgresPoolClient,
  PostgresQuery,
  PostgresTransaction,
  PostgresTypes,
} from './pool.js';
export type { PostgresDeadLetters } from './dead-letters.js';
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
