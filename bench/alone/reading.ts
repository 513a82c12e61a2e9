/** Helpers of a careful programmer who writes a predicate on JSON from outside. */

/** An own member; `undefined` where there is none. */
export function own(parent: unknown, key: string): unknown {
  return typeof parent === 'object' && parent !== null && Object.hasOwn(parent, key)
    ? (parent as Record<string, unknown>)[key]
    : undefined;
}

export const bodyOf = (event: unknown): unknown => own(own(event, 'data'), 'body');

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number, also where a string spells it; NaN where there is none. */
export function numeric(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : NaN;
}

/** A text that holds another, or a list that has it. */
export const holds = (value: unknown, text: string): boolean =>
  (typeof value === 'string' || Array.isArray(value)) && value.includes(text);
