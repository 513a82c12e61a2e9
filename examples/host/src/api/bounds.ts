/**
 * Bounds what a schema is made to look at. Zod checks each element of a list before it counts them, and collects an
 * issue for each: a list of half a million numbers would block the process for a second, to be refused. So counts are
 * checked first.
 */
import type { z } from 'zod';

/** Most members of an object, known or not. */
export const MAX_MEMBERS = 100;
/** Most elements of a list whose schema names no maximum. */
export const MAX_ELEMENTS = 1_000;

/** A part of a value that has more in it than its schema takes. */
export interface Excess {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * The first list or object that has too much in it; null if none has. Follows the schema and not the value, so that its
 * work is bounded by the schema. A member that the schema calls `unknown` is not looked into: the code that reads it
 * checks it.
 */
export function excessOf(schema: z.core.$ZodType, value: unknown, path: Excess['path'] = []): Excess | null {
  if (typeof value !== 'object' || value === null) return null;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return excessOfObject(def.shape, value, path);
    case 'array':
      return excessOfList(schema as z.core.$ZodArray, value, path);
    case 'record':
      return hasTooMany(value) ? tooManyMembers(path) : null;
    case 'union':
      return excessOfUnion(def.options, value, path);
    case 'pipe':
      return excessOf(def.in, value, path);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return excessOf(def.innerType, value, path);
    default:
      return null;
  }
}

function excessOfObject(shape: z.core.$ZodShape, value: object, path: Excess['path']): Excess | null {
  if (Array.isArray(value)) return null;
  if (hasTooMany(value)) return tooManyMembers(path);
  for (const [name, member] of Object.entries(shape)) {
    if (!Object.hasOwn(value, name)) continue;
    const excess = excessOf(member, (value as Readonly<Record<string, unknown>>)[name], [...path, name]);
    if (excess !== null) return excess;
  }
  return null;
}

function excessOfList(schema: z.core.$ZodArray, value: object, path: Excess['path']): Excess | null {
  if (!Array.isArray(value)) return null;
  const maximum = maximumOf(schema);
  if (value.length > maximum) return { path, message: `at most ${maximum} elements` };
  for (const [i, element] of (value as readonly unknown[]).entries()) {
    const excess = excessOf(schema._zod.def.element, element, [...path, i]);
    if (excess !== null) return excess;
  }
  return null;
}

/** The least that a check of the schema says. */
function maximumOf({ _zod }: z.core.$ZodArray): number {
  const maxima = (_zod.def.checks ?? []).flatMap((check) => {
    const { def } = (check as z.core.$ZodChecks)._zod;
    return def.check === 'max_length' ? [def.maximum] : [];
  });
  return maxima.length === 0 ? MAX_ELEMENTS : Math.min(...maxima);
}

/** Zod tries the options one after the other, so each of them must be bounded. */
function excessOfUnion(
  options: readonly z.core.$ZodType[],
  value: object,
  path: Excess['path'],
): Excess | null {
  const found = options.map((option) => excessOf(option, value, path));
  return found.find((excess) => excess !== null) ?? null;
}

/** Counts no further than it must. */
function hasTooMany(value: object): boolean {
  let count = 0;
  for (const name in value) {
    if (Object.hasOwn(value, name) && ++count > MAX_MEMBERS) return true;
  }
  return false;
}

const tooManyMembers = (path: Excess['path']): Excess => ({
  path,
  message: `at most ${MAX_MEMBERS} members`,
});
