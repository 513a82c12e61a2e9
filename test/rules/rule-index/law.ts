/** Laws: properties that CI tries some thousands of times, and `npm run fuzz` for as long as it is told. */
import fc from 'fast-check';

/** A property with its share of the runs. */
export interface Law {
  readonly name: string;
  /** Runs in CI. */
  readonly runs: number;
  readonly check: (parameters: fc.Parameters<unknown>) => fc.RunDetails<unknown>;
}

/** @param holds - Throws where the law is broken. */
export function law<T>(name: string, runs: number, cases: fc.Arbitrary<T>, holds: (one: T) => void): Law {
  const property = fc.property(cases, holds);
  return {
    name,
    runs,
    check: (parameters) => fc.check(property, parameters as fc.Parameters<[T]>) as fc.RunDetails<unknown>,
  };
}
