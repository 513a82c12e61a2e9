/** The parents of spans. */
import { type Context, trace } from '@opentelemetry/api';
import { traceParent } from '../../traceparent.js';

/** The context with the span that a `traceparent` names; the context itself without a valid one. */
export function remoteParent(context: Context, traceparent: string | null | undefined): Context {
  const parent = traceParent(traceparent);
  if (parent === null) return context;
  const { traceId, spanId, flags: traceFlags } = parent;
  return trace.setSpanContext(context, { traceId, spanId, traceFlags, isRemote: true });
}
