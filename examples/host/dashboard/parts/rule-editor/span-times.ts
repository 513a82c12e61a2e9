/** Texts of the begins of equal spans, as short as they can be told apart. Local times. */

const HOUR_MS = 3_600_000;
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' });

/** @param begins - Unix ms, oldest first. */
export function spanTimes(begins: readonly number[]): string[] {
  const isLong = (begins.at(-1) ?? 0) - (begins[0] ?? 0) > 12 * HOUR_MS;
  return begins.map((at) => (isLong ? DAY : CLOCK).format(at));
}
