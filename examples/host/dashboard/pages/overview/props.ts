/** The answer that the parts of the overview show. */
import type { Output } from '../../data/index.js';
import type { Span } from '../../parts/time-range.js';

export type Overview = Output<'getOverview'>;

/** Each part of the page takes these. */
export interface OverviewProps {
  readonly overview: Overview;
  readonly span: Span;
}
