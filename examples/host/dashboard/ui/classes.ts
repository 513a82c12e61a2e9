/** Names of classes in one text. */

/** Leaves out what is false or missing. */
export const classes = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter((name) => typeof name === 'string' && name !== '').join(' ');
