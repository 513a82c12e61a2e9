/** Headers of a request as they came: in order, with repeats. */

/** Names in any case. The values of names that repeat stand apart. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/**
 * All values of a header, in order.
 *
 * @param name - In lower case.
 */
export const headerValues = (headers: HeaderPairs, name: string): readonly string[] =>
  headers.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value);

/** The value of a header that was sent exactly once; else `null`. */
export function singleHeader(headers: HeaderPairs, name: string): string | null {
  const [value, ...more] = headerValues(headers, name);
  return value !== undefined && more.length === 0 ? value : null;
}
