/** The range of time of a list, as it is in the address: the last hours, or exact instants. Pure. */

/** Spans up to now, in hours. */
const SPANS = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const;

export const SPAN_TEXTS = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
} as const;
export type Span = keyof typeof SPAN_TEXTS;

/** Members of a query. */
type Times = Readonly<Partial<Record<string, string>>>;

export const spanOf = ({ since }: Times): Span | null =>
  since !== undefined && Object.hasOwn(SPANS, since) ? (since as Span) : null;

/** The range as the API takes it. */
export function rangeOf(query: Times, now: number): { readonly from?: string; readonly to?: string } {
  const span = spanOf(query);
  const from = span === null ? query.from : new Date(now - SPANS[span] * 3_600_000).toISOString();
  return { ...(from && { from }), ...(query.to && { to: query.to }) };
}

/** An instant as `datetime-local` has it, in the time zone of the reader; empty for one that is invalid. */
export function localOf(iso: string | undefined): string {
  const at = new Date(iso ?? '');
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export const isoOf = (local: string): string => (local === '' ? '' : new Date(local).toISOString());
