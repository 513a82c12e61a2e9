/** A dry-run as server-sent events: `progress` now and then, and at the end `report` or `problem`. */
import { problemBody, problemOf } from '../api/answers.js';
import type { DryRunCall, RunDryRun } from './dry-run.js';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Proxies that collect an answer before they pass it on would hold progress back.
  'x-accel-buffering': 'no',
} as const;

/** @param text - JSON, which has no line breaks. */
const message = (event: string, text: string): Uint8Array =>
  new TextEncoder().encode(`event: ${event}\ndata: ${text}\n\n`);

/**
 * The answer that tells of a dry-run while it is under way. A caller that stops reading ends the dry-run.
 *
 * @param run - The dry-run, which has its place.
 */
export function streamOf(run: RunDryRun, signal: AbortSignal, requestId: string): Response {
  const gone = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (event: string, text: string): void => {
        if (!gone.signal.aborted) controller.enqueue(message(event, text));
      };
      try {
        const progress: DryRunCall['progress'] = (soFar) => send('progress', JSON.stringify(soFar));
        send('report', await run({ signal: AbortSignal.any([signal, gone.signal]), progress }));
      } catch (error) {
        send('problem', JSON.stringify(problemBody(problemOf(error), requestId)));
      }
      if (!gone.signal.aborted) controller.close();
    },
    cancel: () => gone.abort(),
  });
  return new Response(body, { headers: HEADERS });
}
