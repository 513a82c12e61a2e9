/** The filter of a replay in words. Pure. */
import type { Input } from '../../data/index.js';
import { OUTCOMES } from '../../words/outcomes.js';
import { statusOf } from '../../words/statuses.js';
import { utcTime } from '../../words/time.js';

/** Which events a replay sends again. */
export type ReplayFilter = NonNullable<Input<'replayEvents'>['body']['filter']>;

const instant = (text: unknown): string => utcTime(Date.parse(String(text))).replace(/:\d\d\.\d{3} /, ' ');

/**
 * A filter as a line, such as `invoice.paid · missed by Warehouse`.
 *
 * @param endpointName - Null for one that was deleted.
 */
export function filterText(
  filter: Readonly<Record<string, unknown>>,
  endpointName: (id: string) => string | null,
): string {
  const endpoint = (id: unknown): string => endpointName(String(id)) ?? 'a deleted endpoint';
  const words: Readonly<Record<string, (value: unknown) => string>> = {
    outcome: (value) => statusOf(OUTCOMES, String(value)).text,
    status: (value) => `${String(value)} events`,
    topic: (value) => String(value),
    type: (value) => String(value),
    channel: () => 'of one channel',
    tag: (value) => `tagged ${[value].flat().join(' and ')}`,
    rule: () => 'matched by one rule',
    endpoint: (value) => `for ${endpoint(value)}`,
    missed_by: (value) => `missed by ${endpoint(value)}`,
    id: (value) => `ids that begin with ${String(value)}`,
    match: () => 'whose payload matches',
    from: (value) => `from ${instant(value)}`,
    to: (value) => `before ${instant(value)}`,
  };
  const parts = Object.entries(words).flatMap(([name, say]) =>
    filter[name] === undefined ? [] : [say(filter[name])],
  );
  return parts.length === 0 ? 'All events' : parts.join(' · ');
}
