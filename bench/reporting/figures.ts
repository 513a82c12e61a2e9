/** Numbers as they stand in tables. */

/** Two significant digits, or three from a hundred on; thousands with commas. */
export const figure = (value: number): string =>
  Number(value.toPrecision(value < 100 ? 2 : 3)).toLocaleString('en', { maximumSignificantDigits: 3 });

/** Such as `0.12 ×`. */
export const times = (ratio: number): string => `${figure(ratio)} ×`;
