/** Instants. In lists short, with the exact times in the title; on a page of its own all of them at once. */
import { useComputed, useSignal } from '@preact/signals';
import { clockTime, countdown, localTime, relativeTime, utcTime } from '../words/time.js';
import { now } from './clock.js';
import './Time.css';

export interface TimeProps {
  /** ISO 8601 as the API gives it, or Unix milliseconds. */
  readonly at: string | number;
  /** `relative`: `3 min. ago`; `clock`: of one width, for columns; `countdown`: what remains. */
  readonly kind?: 'relative' | 'clock' | 'countdown';
}

const FORMATS = { relative: relativeTime, clock: clockTime, countdown } as const;
const msOf = (at: string | number): number => (typeof at === 'number' ? at : Date.parse(at));

/** The text is a signal of its own: a second passes without rendering the list around it. */
export function Time({ at, kind = 'relative' }: TimeProps) {
  const instant = useSignal(msOf(at));
  instant.value = msOf(at);
  const text = useComputed(() => FORMATS[kind](instant.value, now.value));
  const ms = msOf(at);
  return (
    <time class="hg-time" dateTime={new Date(ms).toISOString()} onPointerEnter={showExact}>
      {text}
    </time>
  );
}

/** Gives a time its title when it is pointed at, since a list has many times and few are looked at. */
function showExact({ currentTarget: time }: { readonly currentTarget: HTMLTimeElement }): void {
  const ms = Date.parse(time.dateTime);
  time.title = `${relativeTime(ms, now.peek())}\n${localTime(ms)}\n${utcTime(ms)}`;
}

/** Relative, local and UTC at once. */
export function ExactTime({ at }: Pick<TimeProps, 'at'>) {
  const ms = msOf(at);
  return (
    <dl class="hg-time hg-time__exact">
      <dt>Relative</dt>
      <dd>
        <Time at={at} />
      </dd>
      <dt>Local</dt>
      <dd>{localTime(ms)}</dd>
      <dt>UTC</dt>
      <dd>{utcTime(ms)}</dd>
    </dl>
  );
}
