/**
 * Metrics and spans of deliveries through OpenTelemetry. Only this sub-path imports `@opentelemetry/api`, an optional
 * peer.
 *
 * @module headgate/opentelemetry
 */
export { HeadgateError, OptionError, type OptionErrorCode } from '../../errors.js';
export { continueTrace, type ContinueTraceOptions } from './continue-trace.js';
export { createTelemetry, type TelemetryOptions } from './telemetry.js';
