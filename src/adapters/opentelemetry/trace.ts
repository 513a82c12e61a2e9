/** A span for each attempt. The request carries its `traceparent`, so that the receiver goes on with the trace. */
import {
  type Attributes,
  context,
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { AttemptStart, SchedulerCallbacks } from '../../delivery/callbacks.js';
import type { Delivery } from '../../delivery/delivery.js';
import type { AttemptOutcome } from '../../delivery/transport.js';
import { traceparentText } from '../../traceparent.js';
import { remoteParent } from './parent.js';

/** The SDK's own key: an instrumented HTTP client adds neither a span nor a second `traceparent` to the request. */
const SUPPRESS_TRACING = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/** @param tracer - Makes the spans. */
export const traceWith =
  (tracer: Tracer): NonNullable<SchedulerCallbacks['attempting']> =>
  (delivery, start) => {
    const { started_at, traceparent } = start;
    // The active span is that of the call that happened to wake the scheduler.
    const parent = remoteParent(ROOT_CONTEXT, traceparent);
    const span = tracer.startSpan(
      'headgate.delivery.attempt',
      { kind: SpanKind.CLIENT, startTime: started_at, attributes: identity(delivery, start) },
      parent,
    );
    const sending = trace.setSpan(ROOT_CONTEXT, span).setValue(SUPPRESS_TRACING, true);
    return {
      traceparent: traceparentIn(span),
      run: (send) => context.with(sending, send),
      ended(outcome, ended_at) {
        span.setAttributes(outcome === null ? { 'error.type': 'aborted' } : result(outcome));
        if (outcome?.ok !== true) {
          span.setStatus({ code: SpanStatusCode.ERROR, message: outcome?.failure ?? 'aborted' });
        }
        // The clock may have been set back meanwhile.
        span.end(Math.max(started_at, ended_at));
      },
    };
  };

/** @returns Null without an SDK, unless the span's parent had one. */
export function traceparentIn(span: Span): string | null {
  const { traceId, spanId, traceFlags: flags } = span.spanContext();
  return trace.isSpanContextValid(span.spanContext()) ? traceparentText({ traceId, spanId, flags }) : null;
}

const identity = (delivery: Delivery, { number }: AttemptStart): Attributes => ({
  'headgate.delivery.id': delivery.id,
  'headgate.delivery.origin': delivery.origin,
  'headgate.event.id': delivery.event_id,
  'headgate.event.type': delivery.event_type,
  'headgate.endpoint.id': delivery.endpoint_id,
  'headgate.attempt.number': number,
  'http.request.method': 'POST',
  ...(number > 1 && { 'http.request.resend_count': number - 1 }),
});

/** By the conventions for HTTP, the type of the error is the status, if there was an answer. */
const result = (outcome: AttemptOutcome): Attributes => ({
  ...(outcome.status !== undefined && { 'http.response.status_code': outcome.status }),
  ...(!outcome.ok && { 'error.type': String(outcome.status ?? outcome.failure) }),
});
