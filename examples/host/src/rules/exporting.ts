/** Exports the rules of a project as a file that another project can import. */
import { setImmediate as turn } from 'node:timers/promises';
import { exportRules, type Rule, stringifyJson } from 'headgate';
import { Streamed } from '../api/route.js';

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'content-disposition': 'attachment; filename="rules.json"',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** Characters that are printed before the event loop runs, about 5 ms; one rule may have more. */
const SLICE_UNITS = 131_072;

/**
 * A rule a line, so that two exports can be compared. The answer is sent as it is printed, at the pace of its reader.
 */
export function exportedFile(rules: Iterable<Rule>): Streamed {
  const slices = slicesOf(rules);
  const encoder = new TextEncoder();
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const next = await slices.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
  };
  return new Streamed(new ReadableStream(source, { highWaterMark: 0 }), HEADERS);
}

/** The text in parts, between which the event loop runs. */
export async function* slicesOf(rules: Iterable<Rule>): AsyncGenerator<string, void> {
  let slice = '[\n';
  let between = '';
  for (const rule of rules) {
    slice += between + exportRules([rule]).map(stringifyJson).join();
    between = ',\n';
    if (slice.length < SLICE_UNITS) continue;
    yield slice;
    slice = '';
    await turn();
  }
  yield `${slice}\n]\n`;
}
