/** Texts of the begins of equal spans, as short as they can be told apart. Local times. */
import { PLOT_TIMES } from '../../words/time.js';

const HOUR_MS = 3_600_000;

/** @param begins - Unix ms, oldest first. */
export function spanTimes(begins: readonly number[]): string[] {
  const isLong = (begins.at(-1) ?? 0) - (begins[0] ?? 0) > 12 * HOUR_MS;
  return begins.map((at) => PLOT_TIMES[isLong ? 'days' : 'hour'](at));
}
