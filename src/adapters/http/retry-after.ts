/** Ten digits are three centuries; whoever asks for more does not mean it. */
const MAX_SECONDS = 9_999_999_999;

/**
 * What a Retry-After header asks for: seconds, or a date in any of the three forms that HTTP has had.
 *
 * @param value - The header; several of them contradict each other.
 * @param now - When the answer came; Unix ms.
 * @returns Whole seconds from `now`, 0 for a date that is over; `undefined` for what is neither, or out of all measure.
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
 * Unix ms; `NaN` for what is no date. Date.parse reads all three forms, and much besides: so what it has read is
 * written in each of them and compared.
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
