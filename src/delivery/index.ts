/**
 * Deliveries: fan-out of events to endpoints, retry policies, and the scheduler, which sends deliveries through a store
 * and a transport that the host chooses.
 *
 * @module headgate/delivery
 */
export type { DeliveryDetails, Origin } from '../delivery-details.js';
export {
  HeadgateError,
  OptionError,
  type OptionErrorCode,
  StoreError,
  type StoreErrorCode,
} from '../errors.js';
export { eventBody } from './body.js';
export { type ByteBudget, byteBudget, ByteRoom, MAX_BODY_BYTES } from './byte-budget.js';
export { type Clock, systemClock } from './clock.js';
export type { AttemptStart, AttemptTrace, ClockJump, SchedulerCallbacks, StoreFailure } from './callbacks.js';
export type { ColumnType, ColumnTypes, ColumnValue, ColumnValues } from './columns.js';
export {
  type AllDeadLetters,
  type DeadLetterCondition,
  type DeadLetterFilter,
  type DeadLetterPage,
  type DeadLetterPageOptions,
  type DeadLetters,
  parseDiscardFilter,
  parseDeadLetterFilter,
} from './dead-letters.js';
export { assertDispatches } from './dispatches.js';
export {
  type Attempt,
  type Delivery,
  type DeliveryState,
  deliveryId,
  newDelivery,
  redelivery,
  type ReplayOptions,
} from './delivery.js';
export { traceparentOf } from '../traceparent.js';
export { topicEntries, coversTopic, type Named } from '../topics.js';
export {
  createDispatch,
  type EndpointStatus,
  fanOut,
  type FanOutEndpoint,
  type FanOutOptions,
  type FanOutDecision,
} from './fan-out.js';
export type {
  DeleteDeliveriesOptions,
  DeletedCounts,
  DeleteFinishedOptions,
  DeliveryDeletion,
  Retention,
} from './retention.js';
export type { DueDates, MakeDueOptions, PendingFilter } from './make-due.js';
export type { DeliverySigner, DeliveryTarget } from './preparation.js';
export {
  assertRetryPolicy,
  defaultRetryPolicy,
  retryDelaySeconds,
  type RetryPolicy,
  retrySchedule,
} from './retry.js';
export type { Reservation, ReserveOptions } from './reservation.js';
export { createScheduler, type Scheduler, type StopOptions } from './scheduler.js';
export type { SchedulerOptions } from './scheduler-options.js';
export type {
  Claim,
  ClaimRequest,
  ClaimResult,
  DeliveryHistory,
  DeliveryStore,
  Dispatch,
  KeepExchange,
  KeepUrl,
  ReadBodies,
  Settlement,
} from './store.js';
export {
  type AttemptStep,
  type ClaimStep,
  type DeliveryStep,
  type ReleaseStep,
  type StepRefusal,
  type Transition,
  transition,
} from './transition.js';
export {
  ATTEMPT_TIMEOUT_MS,
  type AttemptFailure,
  type AttemptOutcome,
  type AttemptRequest,
  type AttemptSuccess,
  type Exchange,
  type ExchangeResponse,
  type ExchangeTimings,
  type FailureCode,
  MAX_EXCHANGE_BODY_BYTES,
  type Transport,
  type TransportAnswer,
} from './transport.js';
