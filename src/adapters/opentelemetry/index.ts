/**
 * Metrics and spans of deliveries by way of OpenTelemetry. Only this sub-path imports `@opentelemetry/api`, an optional
 * peer.
 *
 * @module
 */
export { telemetry, type TelemetryOptions } from './telemetry.js';
