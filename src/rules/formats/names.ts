/** Names that other systems read differently: inherited members, characters of texts, members of array elements. */
import type { Context, Steps } from './part.js';

/** A value of each kind, for the names that its prototype has in this runtime. */
const ofEachKind = (): readonly object[] => [
  {},
  [],
  ...['', 0, false].map((value) => Object(value) as object),
];

const INDEX = /^(?:0|[1-9]\d*)$/;

/** How many steps lead to a container that is an object in any case: the document, and the `data` of an event. */
export const stepsToObject = (steps: Steps, { root }: Context): number =>
  root.length === 0 && steps[0] === 'data' ? 1 : root.length;

/**
 * Says why steps cannot be followed as JavaScript follows them, which reads members of texts and arrays as well; `null`
 * if they can.
 *
 * @param inherits - Whether it also reads inherited members.
 */
export function whyNotFollowed(steps: Steps, context: Context, inherits: boolean): string | null {
  for (const [index, step] of steps.entries()) {
    if (step === null) continue;
    const isOfObject = context.objects || index <= stepsToObject(steps, context);
    const values = isOfObject ? [{}] : ofEachKind();
    if (
      step === '__proto__' ||
      (inherits ? values.some((value) => step in value) : !isOfObject && step === 'length')
    ) {
      return `${JSON.stringify(step)} is also a member of values that do not have it in JSON${isOfObject ? '' : OBJECTS}`;
    }
    if (!isOfObject && INDEX.test(step)) {
      return `${JSON.stringify(step)} is also read as a character of a text${OBJECTS}`;
    }
  }
  return null;
}

/**
 * Says why steps cannot be followed as systems follow them to which "0" is a name like any other, also of the objects
 * in an array; `null` if they can.
 */
export function whyIndex(steps: Steps, context: Context): string | null {
  if (context.objects) return null;
  const index = steps
    .slice(stepsToObject(steps, context) + 1)
    .find((step) => step !== null && INDEX.test(step));
  return index === undefined
    ? null
    : `${JSON.stringify(index)} is also an index of arrays here; if this is only read from objects, import with assume: ['objects']`;
}

const OBJECTS =
  "; if this is only read from objects, or from arrays by index, import with assume: ['objects']";

/** The most containers on a path that may be arrays. */
const MAX_ARRAYS = 4;

/**
 * The paths that a system follows that looks into arrays on the way.
 *
 * @returns The paths; `null` if they are too many.
 */
export function throughArrays(steps: Steps, context: Context): readonly Steps[] | null {
  const known = stepsToObject(steps, context);
  const free = steps.length - 1 - known;
  if (context.objects || free <= 0) return [steps];
  if (free > MAX_ARRAYS) return null;
  let paths: (readonly (string | null)[])[] = [steps.slice(0, known + 1)];
  for (const step of steps.slice(known + 1)) {
    paths = paths.flatMap((path) => [
      [...path, step],
      [...path, null, step],
    ]);
  }
  return paths;
}
