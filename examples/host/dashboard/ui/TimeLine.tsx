/** Steps in the order of time, such as the attempts of a retry policy. */
import type { ComponentChildren } from 'preact';
import type { Tone } from '../words/statuses.js';
import './Plot.css';

export interface TimeLineProps {
  /** The name for screen readers. */
  readonly label: string;
  readonly steps: readonly {
    /** Such as `at once` or `+ 3 min`. */
    readonly at: ComponentChildren;
    readonly text: ComponentChildren;
    readonly tone?: Tone;
  }[];
}

export const TimeLine = ({ label, steps }: TimeLineProps) => (
  <div class="hg-line">
    <ol aria-label={label}>
      {steps.map(({ at, text, tone }, index) => (
        <li key={index} class={tone === undefined ? undefined : `hg-tone-${tone}`}>
          <span class="hg-line__at">{at}</span>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  </div>
);
