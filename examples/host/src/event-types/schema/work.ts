/** The work that checking one value may take, counted: no clock decides what an answer is. */

/** Most work of one check; a unit takes some ten nanoseconds, and may leave ten bytes of errors. */
export const MAX_WORK = 12_000_000;
/** Work of what may end in an error: applying any schema to any value, or asking for a member. */
export const APPLY = 20;
/** Work of one member of an object, which may be one too many. */
const MEMBER = 20;

/**
 * The check needs more work than it may use. {@link Work} throws it; the function that started the check catches it.
 */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

/** The work of one check at a time; belongs to one compiled schema. */
export class Work {
  #left = 0;

  begin(most: number): void {
    this.#left = most;
  }

  /** @throws TooMuchWork */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new TooMuchWork('too much work');
  }

  /** Spends the work of applying a schema to a value: that of the schema, and the size of the value itself. */
  readonly apply = (ofSchema: number, value: unknown): void => {
    this.spend(APPLY + ofSchema + sizeOf(value));
  };
}

/** The size of a value without the values in its parts. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length >> 4;
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.length >> 3;
  let work = 0;
  for (const _ in value) work += MEMBER;
  return work;
}
