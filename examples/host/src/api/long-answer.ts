/** Long work as server-sent events: `progress` now and then, and at the end `report` or `problem`. */
import { jsonText, problemBody, problemOf } from './answers.js';
import { type Call, Streamed } from './route.js';
import { SSE_HEADERS, sseMessage } from './sse.js';

/** How one piece of long work runs. */
export interface LongRun<Progress> {
  /** Fires when the caller goes away. */
  readonly signal: AbortSignal;
  /** Returns false if it was not sent, since the caller reads slowly. */
  readonly progress?: (soFar: Progress) => boolean;
}

/** Runs work that has its turn, and gives the turn back; returns the JSON of the answer. */
export type RunLong<Progress> = (call: LongRun<Progress>) => Promise<string>;

/** Messages that wait to be read. */
const MAX_WAITING = 16;

/**
 * The answer that reports work while it runs. A caller that goes away ends the work; one that reads slowly gets fewer
 * progress messages.
 *
 * @param run - The work, which has its turn.
 */
export function streamOf<Progress>(
  run: RunLong<Progress>,
  { signal, requestId }: Pick<Call, 'signal' | 'requestId'>,
): Streamed {
  const gone = new AbortController();
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async start(controller) {
      const send = (event: string, text: string): void => {
        if (!gone.signal.aborted) controller.enqueue(sseMessage(event, text));
      };
      try {
        const progress = (soFar: Progress): boolean => {
          const hasRoom = (controller.desiredSize ?? 0) > 0;
          if (hasRoom) send('progress', JSON.stringify(soFar));
          return hasRoom;
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

/** Whether a caller asks for the progress of its work. */
export const asksForStream = (headers: Headers): boolean =>
  headers.get('accept')?.includes('text/event-stream') === true;

/** Runs work for a request: a stream of its progress for callers that ask for one, otherwise the result alone. */
export const longAnswer = async <Progress>(
  run: RunLong<Progress>,
  call: Pick<Call, 'headers' | 'signal' | 'requestId'>,
): Promise<Streamed | Response> =>
  asksForStream(call.headers) ? streamOf(run, call) : jsonText(await run({ signal: call.signal }));
