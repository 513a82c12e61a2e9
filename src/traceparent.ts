/** The header `traceparent` of W3C Trace Context, by which the parts of a trace find each other. */

/** Version, trace id, span id and flags. Later versions may append more after a hyphen. */
const TRACEPARENT =
  /^(?!ff)([\da-f]{2})-((?!0{32})[\da-f]{32})-((?!0{16})[\da-f]{16})-([\da-f]{2})(?:-[!-~]*)?$/;

/** A `traceparent`, read. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The span that caused the request: 16 hexadecimal digits. */
  readonly spanId: string;
  /** A byte; its lowest bit says that the trace is sampled. */
  readonly flags: number;
}

/** @returns Null for a value that is not a valid `traceparent`. */
export function traceParent(value: unknown): TraceParent | null {
  const found = typeof value === 'string' ? TRACEPARENT.exec(value) : null;
  if (found === null) return null;
  const [text, version, traceId = '', spanId = '', flags = ''] = found;
  if (version === '00' && text.length !== '00-'.length + 32 + 1 + 16 + 1 + 2) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** The header of version 00, which every version is able to read. */
export const traceparentText = ({ traceId, spanId, flags }: TraceParent): string =>
  `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;

/**
 * The `traceparent` in the headers of a request, to be kept with an event and sent with its deliveries.
 *
 * @example
 * ```ts
 * import { traceparentOf } from 'headgate/delivery';
 *
 * console.log(traceparentOf('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')?.length); // 55
 * console.log(traceparentOf('anything else')); // null
 * ```
 * @param header - The value of the header, of any type.
 * @returns 55 characters, written as version 00; `null` for anything that W3C Trace Context does not allow.
 */
export function traceparentOf(header: unknown): string | null {
  const parent = traceParent(header);
  return parent === null ? null : traceparentText(parent);
}
