/** A span for each attempt, made once it has ended. */
import { type Attributes, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { Attempt, Delivery } from '../../delivery/delivery.js';
import type { AttemptOutcome } from '../../delivery/transport.js';

/** @param tracer - Makes the spans. */
export const traceWith =
  (tracer: Tracer) =>
  (delivery: Delivery, attempt: Attempt): void => {
    const { started_at, ended_at, outcome } = attempt;
    // A root: the active span would be that of the call that happened to wake the scheduler.
    const span = tracer.startSpan('headgate.delivery.attempt', {
      kind: SpanKind.CLIENT,
      root: true,
      startTime: started_at,
      attributes: { ...identity(delivery, attempt), ...result(outcome) },
    });
    if (!outcome.ok) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.failure });
    // The clock may have been set back meanwhile.
    span.end(Math.max(started_at, ended_at));
  };

const identity = (delivery: Delivery, { number }: Attempt): Attributes => ({
  'headgate.delivery.id': delivery.id,
  'headgate.delivery.origin': delivery.origin,
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
