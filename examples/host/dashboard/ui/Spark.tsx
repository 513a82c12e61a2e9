/** A small line without axes: how something went lately. */
import type { Tone } from '../words/statuses.js';
import { classes } from './classes.js';
import './Plot.css';

export interface SparkProps {
  /** A sentence with the numbers that matter, such as `12 matches in 7 days`. */
  readonly label: string;
  /** Oldest first. */
  readonly values: readonly number[];
  readonly tone?: Tone;
  readonly width?: number;
  readonly height?: number;
}

export function Spark({ label, values, tone = 'busy', width = 96, height = 20 }: SparkProps) {
  const most = Math.max(1, ...values);
  const x = (index: number): number => (index / Math.max(1, values.length - 1)) * width;
  const y = (value: number): number => height - 1.5 - (value / most) * (height - 3);
  const line = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return (
    <svg
      class={classes('hg-spark', `hg-tone-${tone}`)}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <polygon points={`0,${height} ${line} ${width},${height}`} fill="currentColor" opacity="0.1" />
      <polyline points={line} fill="none" stroke="currentColor" stroke-width="1.25" stroke-linejoin="round" />
    </svg>
  );
}
