/** The filter of dead letters: in the address, for the API, and in words. Pure. */
import type { Output } from '../../data/index.js';
import { rangeOf } from '../../parts/time-range.js';
import { CAUSES, causeOf } from '../../words/causes.js';
import { utcTime } from '../../words/time.js';

/** Conditions of which all must hold, as the API takes them. */
export type LetterFilter = Readonly<{
  endpoint?: string;
  type?: string;
  tag?: string;
  from?: string;
  to?: string;
  failure?: Failure;
  status_from?: number;
  status_to?: number;
  order?: 'holding';
}>;
/** Filters as the API shows those of redeliveries. */
type ShownFilter = Output<'listRedeliveries'>['items'][number]['filter'];
type Query = Readonly<Partial<Record<string, string>>>;
type Failure = keyof typeof CAUSES;

/** In words. */
export const HOLDING = 'holding back later deliveries';

const isStatus = (text: string): boolean => /^[1-9]\d\d$/.test(text);
const isFailure = (text: string): text is Failure => Object.hasOwn(CAUSES, text);

/** The filter of a query; invalid conditions are left out. */
export function letterFilter(query: Query, now: number): LetterFilter {
  const { endpoint, type, tag, failure, status_from: least, status_to: most, order } = query;
  return {
    ...rangeOf(query, now),
    ...(endpoint && { endpoint }),
    ...(type && { type }),
    ...(tag && { tag }),
    ...(failure && isFailure(failure) && { failure }),
    ...(least && isStatus(least) && { status_from: Number(least) }),
    ...(most && isStatus(most) && { status_to: Number(most) }),
    ...(order === 'holding' && { order }),
  };
}

/** A sentence about invalid statuses in a form; null if they are valid. */
export function statusFault({ status_from: least = '', status_to: most = '' }: Query): string | null {
  if ([least, most].some((text) => text !== '' && !isStatus(text))) {
    return 'An HTTP status has three digits, such as 500.';
  }
  return least !== '' && most !== '' && least > most ? 'The statuses end before they begin.' : null;
}

/** A range of statuses, such as `500 to 599`; empty if there is no range. */
export function statusRange(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return most === undefined ? '' : `up to ${most}`;
  if (most === undefined) return `from ${least}`;
  return least === most ? `${least}` : `${least} to ${most}`;
}

/** A filter as a line, such as `Warehouse · Timeout`. */
export function filterText(filter: ShownFilter, endpointName: (id: string) => string | null): string {
  const text = (name: string): string => `${filter[name] ?? ''}`;
  const number = (name: string): number | undefined => (name in filter ? Number(filter[name]) : undefined);
  const statuses = statusRange(number('status_from'), number('status_to'));
  const parts = [
    'endpoint' in filter && (endpointName(text('endpoint')) ?? 'a deleted endpoint'),
    'type' in filter && text('type'),
    'tag' in filter && `tagged ${text('tag')}`,
    'failure' in filter && causeOf(text('failure')).text,
    statuses !== '' && `HTTP ${statuses}`,
    'order' in filter && HOLDING,
    'from' in filter && `failed from ${instant(text('from'))}`,
    'to' in filter && `failed before ${instant(text('to'))}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'All dead letters' : parts.join(' · ');
}

const instant = (iso: string): string => utcTime(Date.parse(iso)).replace(/:\d\d\.\d{3} /, ' ');
