/**
 * A store in the memory of one process.
 *
 * @module headgate/memory
 */
export {
  createMemoryStore,
  type MemoryStore,
  type MemoryStoreOptions,
  type MemoryStoreSize,
} from './memory-store.js';
export type { DueDates, MakeDueOptions, PendingFilter } from '../../delivery/make-due.js';
export type { DeleteDeliveriesOptions, DeliveryDeletion } from '../../delivery/retention.js';
export { HeadgateError, OptionError, type OptionErrorCode } from '../../errors.js';
