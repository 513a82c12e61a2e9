/** Formats of the browser, each made when it is first used: ten of them took 40 ms of every page. */

/** Instants, in Unix milliseconds, in the time zone of the reader. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (at: number) => string {
  return lazy(() => new Intl.DateTimeFormat('en-GB', options).format);
}

export function numberFormat(options?: Intl.NumberFormatOptions): (number: number) => string {
  return lazy(() => new Intl.NumberFormat('en', options).format);
}

function lazy(make: () => (value: number) => string): (value: number) => string {
  let made: ((value: number) => string) | undefined;
  return (value) => (made ??= make())(value);
}
