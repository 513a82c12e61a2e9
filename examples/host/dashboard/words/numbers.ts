/** Numbers as people read them. Pure. */
import { numberFormat } from './formats.js';

/** Such as `12,345`. */
export const count = quick(numberFormat());

/** Such as `12.3K`, where space is short. */
export const shortCount = quick(numberFormat({ notation: 'compact', maximumFractionDigits: 1 }));

/** Events a minute and the like: three digits, such as `0.0333`, `12.5`, `1.25K`. */
export const rate = quick(numberFormat({ notation: 'compact', maximumSignificantDigits: 3 }));

/** Leaves out the format, which takes 25 ms to make, where it would change nothing: whole numbers of three digits. */
function quick(format: (number: number) => string): (number: number) => string {
  return (number) => (Number.isInteger(number) && Math.abs(number) < 1_000 ? String(number) : format(number));
}

/** A number with its noun: `1 event`, `12 events`; the plural of an odd noun is given. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`;

/** A share from 0 to 1, such as `99.95%`. It says 100% and 0% only if that is exact. */
export function percent(share: number): string {
  const rounded = Math.round(share * 1_000) / 10;
  if (rounded === 100 && share < 1) return `${Math.min(99.99, Math.floor(share * 10_000) / 100)}%`;
  if (rounded === 0 && share > 0) return '<0.1%';
  return `${rounded}%`;
}

/** Such as `812 B`, `1.4 kB`, `3 MB`. */
export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  const [scaled, unit] = size < 1_000_000 ? [size / 1_000, 'kB'] : [size / 1_000_000, 'MB'];
  return `${scaled < 10 ? Number(scaled.toFixed(1)) : Math.round(scaled)} ${unit}`;
}

/** A list as a sentence has it: `a`, `a and b`, `a, b and c`. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
