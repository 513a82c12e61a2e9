/** Continues a trace that came with a request. */
import {
  type Attributes,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import {
  assertMembers,
  type Check,
  type Checks,
  instant,
  invalid,
  isPlainObject,
  kindOf,
  optional,
  part,
  text,
} from '../../delivery/arguments.js';
import { traceParent } from '../../traceparent.js';
import { remoteParent } from './parent.js';
import { traceparentIn } from './trace.js';

/** Options of {@link continueTrace}. */
export interface ContinueTraceOptions {
  /** The span's name, such as `orders.handle`. */
  readonly name: string;
  /** @defaultValue `'consumer'` */
  readonly kind?: Lowercase<keyof typeof SpanKind>;
  /** The span's attributes. */
  readonly attributes?: Attributes;
  /**
   * When the work began, if that was earlier; Unix ms.
   * @defaultValue now
   */
  readonly startTime?: number;
  /** @defaultValue the tracer `headgate` of the global provider */
  readonly tracer?: Tracer;
}

const aKind: Check = (name, value) => {
  const kinds = Object.keys(SpanKind).filter((kind) => /^[A-Z]/.test(kind));
  if (kinds.includes(String(value).toUpperCase())) return;
  throw invalid(`${name} is ${kindOf(value)}: give one of ${kinds.join(', ').toLowerCase()}`);
};
const anObject: Check = (name, value) => {
  if (!isPlainObject(value)) throw invalid(`${name} is ${kindOf(value)}: give values by their names`);
};
const OPTIONS: Checks<ContinueTraceOptions> = {
  name: text,
  kind: optional(aKind),
  attributes: optional(anObject),
  startTime: optional(instant),
  tracer: optional(part(['startSpan'], 'a tracer of OpenTelemetry, or leave it out')),
};

/**
 * Runs work in a span that continues the trace of a `traceparent`: the handler of a receiver, or a request that brings
 * an event. Spans that begin in it belong to the trace. The span ends with the work, or once its promise has settled.
 * It has the class of an error, not its message.
 *
 * Its parent is the active span if that belongs to the same trace, as in an instrumented HTTP server; otherwise the
 * span that the `traceparent` names; and without a valid one the active span, if there is any.
 *
 * @example
 * ```ts
 * import { continueTrace } from 'headgate/opentelemetry';
 * import { createReceiver } from 'headgate/receiver';
 *
 * const receiver = createReceiver({
 *   secrets: 'whsec_test',
 *   handle: (event, delivery, request) =>
 *     continueTrace(request.header('traceparent'), { name: 'orders.handle' }, () => {
 *       console.log('handled', event.id);
 *     }),
 * });
 * ```
 * @param traceparent - The header of the request.
 * @param options - The span.
 * @param work - Called with the span's own `traceparent`, to be kept or sent on; it is `null` if there is no trace.
 * @returns The result of the work.
 * @throws {@link OptionError} `invalid_option`, naming what to give.
 */
export function continueTrace<Result>(
  traceparent: string | null | undefined,
  options: ContinueTraceOptions,
  work: (traceparent: string | null) => Result,
): Result {
  assertMembers<ContinueTraceOptions>('continueTrace', options, OPTIONS);
  const {
    name,
    kind = 'consumer',
    attributes = {},
    startTime,
    tracer = trace.getTracer('headgate'),
  } = options;
  const active = context.active();
  const isInTrace = trace.getSpanContext(active)?.traceId === traceParent(traceparent)?.traceId;
  const parent = isInTrace ? active : remoteParent(active, traceparent);
  const spanKind = SpanKind[kind.toUpperCase() as keyof typeof SpanKind];
  const begun = startTime === undefined ? {} : { startTime };
  const span = tracer.startSpan(name, { kind: spanKind, attributes, ...begun }, parent);
  const fail = (error: unknown): never => {
    span.setAttribute('error.type', error instanceof Error ? error.name : '_OTHER');
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    throw error;
  };
  try {
    const result = context.with(trace.setSpan(parent, span), work, undefined, traceparentIn(span));
    if (isPromise(result)) return settled(result, span, fail) as Result;
    span.end();
    return result;
  } catch (error) {
    return fail(error);
  }
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (Object(value) as Partial<Promise<unknown>>).then === 'function';

const settled = (result: Promise<unknown>, span: Span, fail: (error: unknown) => never): Promise<unknown> =>
  Promise.resolve(result).then((value) => {
    span.end();
    return value;
  }, fail);
