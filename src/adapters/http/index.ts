/** Deliveries over HTTP, kept away from private networks. */
export { OptionError } from '../../errors.js';
export type { AttemptOutcome, AttemptRequest, FailureCode, Transport } from '../../delivery/transport.js';
export type { AddressRules } from './address-guard.js';
export { createLookup } from './lookup.js';
export type { LookupOptions } from './lookup.js';
export { createHttpTransport } from './transport.js';
export type { HttpTransportOptions } from './transport.js';
export { checkUrl } from './url.js';
export type { UrlProblem } from './url.js';
