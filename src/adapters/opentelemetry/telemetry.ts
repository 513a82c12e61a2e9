/** Callbacks of a scheduler that measure and trace. */
import { type Meter, metrics, trace, type Tracer } from '@opentelemetry/api';
import type { SchedulerCallbacks } from '../../delivery/callbacks.js';
import { measureWith } from './measure.js';
import { traceWith } from './trace.js';

/** Options of {@link telemetry}. */
export interface TelemetryOptions {
  /**
   * Makes the instruments.
   * @defaultValue the meter `headgate` of the global provider, which has to be set before
   */
  readonly meter?: Meter;
  /**
   * Makes a span of every attempt.
   * @defaultValue the tracer `headgate` of the global provider
   */
  readonly tracer?: Tracer;
}

const SCOPE = 'headgate';

/**
 * Callbacks for a scheduler's `on`. What metrics tell apart is a closed list: codes, classes of status, no ids. Spans
 * have ids, and neither metrics nor spans have a URL, a header, a body or a sentence.
 *
 * @param options - Where to measure and trace.
 * @see docs/delivery.md
 */
export function telemetry(options: TelemetryOptions = {}): SchedulerCallbacks {
  const { meter = metrics.getMeter(SCOPE), tracer = trace.getTracer(SCOPE) } = options;
  const measuring = measureWith(meter);
  const traced = traceWith(tracer);
  return {
    ...measuring,
    attempted(delivery, attempt, lateMs) {
      measuring.attempted(delivery, attempt, lateMs);
      traced(delivery, attempt);
    },
  };
}
