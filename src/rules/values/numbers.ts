/** Numbers that strings spell. */

/** A JSON number literal and nothing around it. */
const NUMBER_LITERAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The number that a string spells as a JSON literal; `undefined` when it spells none. Linear in its length. */
export const numberIn = (text: string): number | undefined =>
  NUMBER_LITERAL.test(text) ? Number(text) : undefined;

/** A cheap test before {@link numberIn}: most strings that spell no number fail it. */
export const beginsAsNumber = (text: string): boolean => text.charCodeAt(0) <= 57; // '9'; '-' and the digits come no later
