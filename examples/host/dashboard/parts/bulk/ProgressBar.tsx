/** How far a bulk action is: the parts of its bar, each with its count in words. */
import { count } from '../../words/numbers.js';

/** A part of the bar. */
export interface Part {
  readonly id: string;
  readonly size: number;
  /** Follows the count. */
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'busy' | 'quiet';
  readonly title?: string;
  /** The count in the text, if that is not the size of the part. */
  readonly counts?: number;
}

export interface ProgressBarProps {
  readonly label: string;
  /** Empty until they are read; the layout is the same. */
  readonly parts: readonly Part[];
  readonly done: number;
  readonly total: number;
}

export function ProgressBar({ label, parts, done, total }: ProgressBarProps) {
  return (
    <div class="hg-progress">
      <div
        class="hg-progress__bar"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(1, total)}
        aria-valuenow={Math.min(done, total)}
      >
        {parts.map(({ id, size, tone }) => (
          <span key={id} class={`hg-progress__part hg-tone-${tone}`} style={{ flexGrow: `${size}` }} />
        ))}
      </div>
      <ul class="hg-progress__counts">
        {parts
          .filter(({ id, size }) => size > 0 || id === 'delivered')
          .map(({ id, size, text, tone, title, counts = size }) => (
            <li key={id} class={`hg-tone-${tone}`} title={title}>
              {count(counts)} {text}
            </li>
          ))}
      </ul>
    </div>
  );
}
