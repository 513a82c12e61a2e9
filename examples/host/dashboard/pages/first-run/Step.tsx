/** A step of the guide: done, at hand, or still to come. */
import type { ComponentChildren } from 'preact';
import { classes, Icon } from '../../ui/index.js';

export interface StepProps {
  readonly number: number;
  /** The step at hand. */
  readonly at: number;
  readonly title: string;
  /** A sentence once it is done. */
  readonly done: string;
  /** Shows the children once the step is done, too. */
  readonly isKept?: boolean;
  readonly children: ComponentChildren;
}

export function Step({ number, at, title, done, isKept = false, children }: StepProps) {
  const isDone = number < at;
  const isNow = number === at;
  return (
    <li
      class={classes('hg-start__step', isDone && 'hg-start__step--done', isNow && 'hg-start__step--now')}
      aria-current={isNow ? 'step' : undefined}
    >
      <span class="hg-start__mark" aria-hidden="true">
        {isDone ? <Icon name="check" size={14} /> : number}
      </span>
      <div class="hg-start__content">
        <h2 class="hg-start__title">
          {title}
          {isDone && <span class="hg-unseen"> (done)</span>}
        </h2>
        {isDone && done !== '' && <p class="hg-soft">{done}</p>}
        {(isNow || (isDone && isKept)) && children}
      </div>
    </li>
  );
}
