/**
 * Deliveries over HTTP, to public addresses only.
 *
 * @module headgate/http
 */
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
} from '../../delivery/transport.js';
export { HeadgateError, OptionError, type OptionErrorCode } from '../../errors.js';
export type { AddressRules } from './address-guard.js';
export { createLookup, type LookupOptions } from './lookup.js';
export type { HttpTransportOptions } from './options.js';
export { createHttpTransport } from './transport.js';
export { checkUrl, type UrlProblem } from './url.js';
