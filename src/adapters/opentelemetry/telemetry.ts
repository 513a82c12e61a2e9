/** Callbacks of a scheduler that measure and trace. */
import { type Meter, metrics, trace, type Tracer } from '@opentelemetry/api';
import { assertMembers, type Checks, optional, part } from '../../delivery/arguments.js';
import type { SchedulerCallbacks } from '../../delivery/callbacks.js';
import { measureWith } from './measure.js';
import { traceWith } from './trace.js';

/** Options of {@link createTelemetry}. */
export interface TelemetryOptions {
  /**
   * Makes the instruments.
   * @defaultValue the meter `headgate` of the global provider, which must be set before
   */
  readonly meter?: Meter;
  /**
   * Makes a span of every attempt: a child of the `traceparent` that the signer gave, or else a root.
   * @defaultValue the tracer `headgate` of the global provider
   */
  readonly tracer?: Tracer;
}

const SCOPE = 'headgate';
const METER = ['createCounter', 'createHistogram', 'createUpDownCounter'];
const OPTIONS: Checks<TelemetryOptions> = {
  meter: optional(part(METER, 'a meter of OpenTelemetry, or leave it out')),
  tracer: optional(part(['startSpan'], 'a tracer of OpenTelemetry, or leave it out')),
};

/**
 * Callbacks for a scheduler's `on`. The attributes of metrics are a closed list of codes and classes of status, without
 * ids. Spans have ids. Neither metrics nor spans have a URL, a header, a body or the `detail` of an outcome.
 *
 * @example
 * ```ts
 * import { metrics, trace } from '@opentelemetry/api';
 * import { createTelemetry } from 'headgate/opentelemetry';
 *
 * // Hand it to createScheduler as `on`.
 * const on = createTelemetry({ meter: metrics.getMeter('deliveries'), tracer: trace.getTracer('deliveries') });
 * ```
 * @param options - The meter and the tracer to use.
 * @throws {@link OptionError} `invalid_option`, naming what to give.
 * @see docs/delivery.md
 */
export function createTelemetry(options: TelemetryOptions = {}): SchedulerCallbacks {
  assertMembers<TelemetryOptions>('createTelemetry', options, OPTIONS);
  const { meter = metrics.getMeter(SCOPE), tracer = trace.getTracer(SCOPE) } = options;
  return { ...measureWith(meter), attempting: traceWith(tracer) };
}
