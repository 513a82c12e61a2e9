/** Long work as server-sent events: `progress` now and then, and at the end `report` or `problem`. */
import { jsonText, problemBody, problemOf } from '../api/answers.js';
import { type Call, Streamed } from '../api/route.js';
import { SSE_HEADERS, sseMessage } from '../api/sse.js';
import type { LongRun, RunLong } from './long-runs.js';

/** Messages that wait to be read. */
const MAX_WAITING = 16;

/**
 * The answer that reports work while it runs. A caller that goes away ends the work; one that reads slowly gets fewer
 * progress messages.
 *
 * @param run - The work, which has its turn.
 */
function streamOf<Progress>(run: RunLong<Progress>, signal: AbortSignal, requestId: string): Streamed {
  const gone = new AbortController();
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async start(controller) {
      const send = (event: string, text: string): void => {
        if (!gone.signal.aborted) controller.enqueue(sseMessage(event, text));
      };
      try {
        const progress: LongRun<Progress>['progress'] = (soFar) => {
          if ((controller.desiredSize ?? 0) > 0) send('progress', JSON.stringify(soFar));
        };
        send('report', await run({ signal: AbortSignal.any([signal, gone.signal]), progress }));
      } catch (error) {
        send('problem', JSON.stringify(problemBody(problemOf(error), requestId)));
      }
      if (!gone.signal.aborted) controller.close();
    },
    cancel: () => gone.abort(),
  };
  return new Streamed(new ReadableStream(source, { highWaterMark: MAX_WAITING }), SSE_HEADERS);
}

const EVENT_STREAM = 'text/event-stream';

/** Runs work for a request: a stream of its progress for callers that ask for one, otherwise the result alone. */
export const longAnswer = async <Progress>(
  run: RunLong<Progress>,
  { headers, signal, requestId }: Pick<Call, 'headers' | 'signal' | 'requestId'>,
): Promise<Streamed | Response> =>
  headers.get('accept')?.includes(EVENT_STREAM)
    ? streamOf(run, signal, requestId)
    : jsonText(await run({ signal }));
