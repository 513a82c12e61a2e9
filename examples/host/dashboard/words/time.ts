/** Instants and spans as people read them. Pure: the current time is a parameter. */
import { dateFormat } from './formats.js';
import { count } from './numbers.js';

/** With the seconds in one, and the names of the last and the next one. */
const UNITS = [
  ['yr.', 31_536_000, 'last yr.', 'next yr.'],
  ['mo.', 2_592_000, 'last mo.', 'next mo.'],
  ['days', 86_400, 'yesterday', 'tomorrow'],
  ['hr.', 3_600],
  ['min.', 60],
  ['sec.', 1],
] as const;

/**
 * Such as `12 sec. ago`, `in 3 min.`, `yesterday`. Both in Unix milliseconds. The words are those of
 * `Intl.RelativeTimeFormat`, which takes 20 ms to make, and every list begins with a time.
 */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1_000);
  if (Math.abs(seconds) < 2) return 'now';
  const [unit, size, last, next] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS[5];
  const units = Math.trunc(seconds / size);
  if (units === -1 && last !== undefined) return last;
  if (units === 1 && next !== undefined) return next;
  return units < 0 ? `${count(-units)} ${unit} ago` : `in ${count(units)} ${unit}`;
}

/** Exact, in the time zone of the reader, such as `Sun, 22 Nov 2026, 11:46:50.123 GMT`. */
export const localTime = dateFormat({
  ...{ year: 'numeric', month: 'short', day: 'numeric', weekday: 'short' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
  timeZoneName: 'short',
});
const clock = dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = dateFormat({ month: 'short', day: 'numeric' });

/** Instants of a plot over an hour, some days or a month, such as `14:00`, `Sun 14:00`, `22 Nov, 14:00`. */
export const PLOT_TIMES = {
  hour: dateFormat({ hour: '2-digit', minute: '2-digit' }),
  days: dateFormat({ weekday: 'short', hour: '2-digit', minute: '2-digit' }),
  month: dateFormat({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
} as const;

/** Exact, in UTC, such as `2026-11-22 11:46:50.123 UTC`. */
export const utcTime = (at: number): string =>
  new Date(at).toISOString().replace('T', ' ').replace('Z', ' UTC');

/** Short and of one width, local: the time of day for today, the day and the minute before that. */
export function clockTime(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? clock(at) : `${day(at)} ${clock(at).slice(0, 5)}`;
}

/** A span in milliseconds with two units at most, such as `340 ms`, `2.4 s`, `3 min 5 s`, `2 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${Number((ms / 1_000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return two(seconds, 60, 'min', 's');
  if (seconds < 86_400) return two(Math.floor(seconds / 60), 60, 'h', 'min');
  return two(Math.floor(seconds / 3_600), 24, 'd', 'h');
}

function two(total: number, size: number, large: string, small: string): string {
  const rest = total % size;
  return `${Math.floor(total / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

/** The time that remains, such as `in 4 s`, `in 3 min 5 s`; `due now` once it has passed. */
export const countdown = (at: number, now: number): string =>
  at - now < 500 ? 'due now' : `in ${duration(Math.ceil((at - now) / 1_000) * 1_000)}`;
