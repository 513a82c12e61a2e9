/** Compares what came out with what had to. */
import type { Found } from './found.js';
import { type Counts, deliveriesOf } from './implied.js';
import { ENDPOINT_NAMES } from './project.js';

/** Attempts that were in flight when the host was killed, at most: its own limit for an endpoint, for each of them. */
const MOST_IN_FLIGHT = 8 * ENDPOINT_NAMES.length;

/** Whatever is wrong, each as a sentence. */
export function problemsOf(found: Found, implied: Counts): string[] {
  const [is, should] = [flat(found), flat(implied)];
  const repeated = Object.values(found.repeated).reduce((sum, count) => sum + count, 0);
  return [
    ...Object.keys(should)
      .filter((name) => is[name] !== should[name])
      .map((name) => `${name}: ${is[name] ?? 0}, but the rules imply ${should[name]}`),
    ...found.problems,
    ...(repeated > MOST_IN_FLIGHT ? [`${repeated} requests were repeated, more than were in flight`] : []),
  ];
}

const flat = (counts: Counts): Readonly<Record<string, number>> => ({
  accepted: counts.accepted,
  processed: counts.processed,
  dropped: counts.dropped,
  'tagged urgent': counts.urgent,
  redacted: counts.redacted,
  'dead letters': counts.deadLetters,
  'received by the SDK client': counts.received,
  'replies stored': counts.replies,
  deliveries: deliveriesOf(counts),
  ...Object.fromEntries(counts.matched.map((count, i) => [`matches of rule ${i + 1}`, count])),
  ...Object.fromEntries(
    ENDPOINT_NAMES.flatMap((name) => {
      const { delivered, failed, attempts } = counts.endpoints[name];
      return [
        [`${name}: delivered`, delivered],
        [`${name}: failed`, failed],
        [`${name}: attempts`, attempts],
      ];
    }),
  ),
});
