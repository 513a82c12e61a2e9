/** Reads an answer that is a stream of server-sent events to its end, which is an answer like any other. */
import { messagesOf } from '../data/sse.js';

/** A fetch that reads a stream of `progress` to its `report` or `problem`, and answers with that. */
export function readingStreams(send: typeof fetch, progress: (data: unknown) => void): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!isStream || response.body === null) return response;
    for await (const { event, data } of messagesOf(response.body)) {
      if (event === 'progress') progress(JSON.parse(data));
      else if (event === 'report') {
        return new Response(data, { headers: { 'content-type': 'application/json' } });
      } else if (event === 'problem') return problemOf(data);
    }
    throw new TypeError('the stream ended before its report');
  };
}

function problemOf(data: string): Response {
  const { status } = JSON.parse(data) as { readonly status: number };
  return new Response(data, { status, headers: { 'content-type': 'application/problem+json' } });
}
