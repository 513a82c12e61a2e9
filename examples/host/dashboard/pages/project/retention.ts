/** The days of retention and of the automatic pause: limits, parsing, and sentences. Pure. */
import { counted } from '../../words/numbers.js';

export const MOST_DAYS = 400;
export const MOST_PAUSE_DAYS = 365;

/** A number of days as it was typed; null if it is not allowed. */
export function daysOf(text: string, most: number): number | null {
  if (!/^\d{1,3}$/.test(text.trim())) return null;
  const days = Number(text);
  return days >= 1 && days <= most ? days : null;
}

export const daysFault = (text: string, most: number): string | null =>
  daysOf(text, most) === null ? `Give a whole number of days from 1 to ${most}.` : null;

/** Explains when events are deleted; null stands for days that are not valid. */
export function retentionText(days: number | null): string {
  if (days === null) return 'Events, with all that belongs to them, go when their days have passed.';
  return (
    `An event goes ${counted(days, 'day')} after it was received, with its payload, deliveries, attempts and replies. ` +
    `One with a dead letter, or not decided yet, stays for ${counted(days * 2, 'day')}. ` +
    'What is still being delivered stays until that has ended. The audit log is kept for 400 days.'
  );
}
