/** The Retry-After header. */

/** Longest accepted wait: ten digits, which are three centuries. */
const MAX_SECONDS = 9_999_999_999;

/**
 * Parses a Retry-After header: seconds, or a date in one of the three forms of HTTP.
 *
 * @param value - The header. Several headers are ignored.
 * @param now - Time of the answer; Unix ms.
 * @returns Whole seconds from `now`, and 0 for a past date; `undefined` for an invalid value or a wait that is too
 *   long.
 * @see RFC 9110, 10.2.3
 */
export function retryAfterSeconds(
  value: string | readonly string[] | undefined,
  now: number,
): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim(); // undici leaves blanks at the end
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : Math.ceil((httpDate(text) - now) / 1_000);
  return seconds <= MAX_SECONDS ? Math.max(seconds, 0) : undefined;
}

/**
 * Unix ms; `NaN` for an invalid date. Date.parse accepts all three forms and many others, so its result is formatted in
 * each of the three and compared with the text.
 *
 * @see RFC 9110, 5.6.7
 */
function httpDate(text: string): number {
  const at = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  const [, day = '', month, year = '', time] = new Date(at).toUTCString().split(' ');
  const forms = [
    `${day} ${month} ${year} ${time} GMT`,
    `${day}-${month}-${year.slice(-2)} ${time} GMT`,
    `${month} ${day.replace(/^0/, ' ')} ${time} ${year}`,
  ];
  return forms.includes(text.replace(/^[A-Z][a-z]{2,8},? /, '')) ? at : NaN;
}
