/** Compares what came out with what had to. */
import type { Found } from './found.js';
import { type Counts, deliveriesOf } from './implied.js';
import { ENDPOINT_NAMES, type EndpointName } from './project.js';

/** Attempts to one endpoint that were in flight when the host was killed, at most: the host's own limit. */
const MOST_IN_FLIGHT = 32;

/** Every problem, as a sentence. */
export function problemsOf(found: Found, implied: Counts): string[] {
  const [is, should] = [flat(found), flat(implied)];
  return [
    ...Object.keys(should)
      .filter((name) => is[name] !== should[name])
      .map((name) => `${name}: ${is[name] ?? 0}, but the rules imply ${should[name]}`),
    ...found.problems,
    ...ENDPOINT_NAMES.flatMap((name) => strayRequests(name, found, implied)),
    ...ENDPOINT_NAMES.filter((name) => found.unrecorded[name] > MOST_IN_FLIGHT).map(
      (name) =>
        `${name}: ${found.unrecorded[name]} attempts were not recorded, of at most ${MOST_IN_FLIGHT} in flight`,
    ),
  ];
}

/** Requests beyond those that are implied, which must be repeats of attempts that were in flight. */
export const repeatsAt = (name: EndpointName, found: Found, implied: Counts): number =>
  found.endpoints[name].requests - implied.endpoints[name].requests;

function strayRequests(name: EndpointName, found: Found, implied: Counts): string[] {
  const [repeats, most] = [repeatsAt(name, found, implied), found.unrecorded[name]];
  if (repeats >= 0 && repeats <= most) return [];
  return [`${name}: ${repeats} requests beyond those implied, of ${most} that were in flight at the kill`];
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
      const { delivered, failed } = counts.endpoints[name];
      return [
        [`${name}: delivered`, delivered],
        [`${name}: failed`, failed],
      ];
    }),
  ),
});
