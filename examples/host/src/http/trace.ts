/** The trace that a request belongs to. */
import { traceparentOf } from 'headgate/delivery';

/** Runs the work of a request in its trace. The work gets the `traceparent` that its events keep, null for none. */
export type Traced = <Result>(
  headers: Headers,
  work: (traceparent: string | null) => Promise<Result>,
) => Promise<Result>;

/** Adds nothing to the trace. */
export const keepTrace: Traced = (headers, work) => work(traceparentOf(headers.get('traceparent')));
