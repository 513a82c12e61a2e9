/** JSON as text, to any depth. All of the host parses and prints JSON here. */

/** A value that was parsed from JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** @throws SyntaxError for text that is not JSON. Its message may quote the text: do not pass it on. */
export const parseJson = (text: string): Json => JSON.parse(text) as Json;

export const stringifyJson = (value: Json): string => JSON.stringify(value);
