/** The health of an endpoint over a period. */
import type { Output } from '../../data/index.js';

export type Health = Output<'getEndpointHealth'>;

export const PERIODS = [
  { value: 'hour', text: 'Last hour' },
  { value: 'day', text: 'Last 24 hours' },
  { value: 'week', text: 'Last 7 days' },
  { value: 'month', text: 'Last 30 days' },
] as const;
export type Period = (typeof PERIODS)[number]['value'];
