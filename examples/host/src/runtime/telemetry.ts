/** OpenTelemetry, if the environment asks for it. The SDK that exports is the operator's, preloaded with `--import`. */
import type { SchedulerCallbacks } from 'headgate/delivery';
import type { Traced } from '../http/trace.js';
import type { PersistedEvent } from '../stored/event-json.js';

/** The parts of a host that measure and trace. */
export interface Telemetry {
  /** The scheduler's callbacks: metrics, and a span for each attempt. */
  readonly callbacks: SchedulerCallbacks;
  /** A span for each request that brings events. The rest of their trace descends from it. */
  readonly traced: Traced;
  /** A span for each decision, from the receipt of the event to the record. */
  readonly decided: (event: PersistedEvent, outcome: 'deliver' | 'drop') => void;
}

/** True if any variable of OpenTelemetry is set, and none turns it off. */
export const isTelemetryOn = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  environment.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
  Object.entries(environment).some(([name, value]) => name.startsWith('OTEL_') && (value ?? '') !== '');

/** @returns Null if the environment does not ask for it. */
export async function readTelemetry(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Telemetry | null> {
  if (!isTelemetryOn(environment)) return null;
  const { createTelemetry, continueTrace } = await import('headgate/opentelemetry');
  return {
    callbacks: createTelemetry(),
    traced: (headers, work) =>
      continueTrace(headers.get('traceparent'), { name: 'headgate.event.ingest', kind: 'server' }, work),
    decided({ id, type, receivedAt, traceparent }, outcome) {
      const attributes = {
        'headgate.event.id': id,
        'headgate.event.type': type,
        'headgate.event.outcome': outcome,
      };
      const span = { name: 'headgate.event.decide', startTime: receivedAt, attributes } as const;
      continueTrace(traceparent, { ...span, kind: 'internal' }, () => undefined);
    },
  };
}
