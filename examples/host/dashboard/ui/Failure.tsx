/** Something went wrong: a sentence that says what, and a button that tries again. */
import type { ComponentChildren } from 'preact';
import type { Tone } from '../words/statuses.js';
import { Button } from './Button.js';
import { classes } from './classes.js';
import { Icon } from './Icon.js';
import './States.css';

export interface FailureProps {
  readonly title?: string;
  /** A sentence; `sentenceOf(error)` of data/ makes it. */
  readonly text: string;
  readonly onRetry?: (() => void) | undefined;
}

/** Replaces what could not be loaded. */
export const Failure = ({ title = 'This could not be loaded', text, onRetry }: FailureProps) => (
  <div class="hg-state" role="alert">
    <Icon name="failure" size={24} />
    <p class="hg-state__title">{title}</p>
    <p class="hg-state__text">{text}</p>
    {onRetry !== undefined && (
      <div class="hg-state__actions">
        <Button onClick={onRetry}>Try again</Button>
      </div>
    )}
  </div>
);

export interface NoticeProps {
  readonly tone: Tone;
  readonly children: ComponentChildren;
  /** A button at the end. */
  readonly action?: ComponentChildren;
}

/** A sentence above what it is about: a warning, a failure of a form, a hint. */
export const Notice = ({ tone, children, action }: NoticeProps) => (
  <div class={classes('hg-notice', `hg-tone-${tone}`)} role={tone === 'bad' ? 'alert' : undefined}>
    <Icon name={tone === 'good' ? 'check' : tone === 'bad' || tone === 'busy' ? 'failure' : 'warning'} />
    <div>{children}</div>
    {action}
  </div>
);
