/** What is wrong with a rule, for its fields: found while somebody writes, or told by the service. */
import type { TextFault } from './model/faults.js';
import type { FormFault } from './model/form.js';

/** Finds the sentence for a field. */
export interface Faults {
  /**
   * @param pointer - Of the field.
   * @param isEmpty - Whether nothing was written into it yet: then nothing is said before somebody tries to save.
   */
  readonly at: (pointer: string, isEmpty?: boolean) => string | null;
  /** The sentences for all that is at or below a place. */
  readonly below: (pointer: string) => readonly string[];
}

/** @param isStrict - Whether somebody has tried to save. */
export function faultsOf(found: readonly (TextFault | FormFault)[], isStrict: boolean): Faults {
  const errors = found.filter((fault) => !('severity' in fault) || fault.severity === 'error');
  const at = (pointer: string): string | null => {
    const message = errors.find((fault) => fault.pointer === pointer)?.message;
    return message === undefined ? null : message;
  };
  return {
    at: (pointer, isEmpty = false) => (isEmpty && !isStrict ? null : at(pointer)),
    below: (pointer) =>
      errors
        .filter((fault) => fault.pointer === pointer || fault.pointer?.startsWith(`${pointer}/`))
        .map(({ message }) => message),
  };
}
