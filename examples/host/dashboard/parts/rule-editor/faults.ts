/** The faults of the rule in the editor, by field. */
import type { TextFault } from './model/faults.js';
import type { FormFault } from './model/form.js';

/** Finds the sentence for a field. */
export interface Faults {
  /**
   * @param pointer - The pointer of the field.
   * @param ifEmpty - Given where nothing was written into it yet: this is said then, and only once somebody tries to
   *   save.
   */
  readonly at: (pointer: string, ifEmpty?: string | false) => string | null;
  /** The sentences for all that is below a pointer. */
  readonly below: (pointer: string) => readonly string[];
  /** The sentences about what no field shows. */
  readonly strays: () => readonly string[];
}

const FIELDS = /^\/(?:name|description|priority|match|action)(?:\/|$)/;

/** @param isStrict - Whether somebody has tried to save. */
export function faultsOf(found: readonly (TextFault | FormFault)[], isStrict: boolean): Faults {
  const errors = found.filter((fault) => !('severity' in fault) || fault.severity === 'error');
  return {
    at(pointer, ifEmpty = false) {
      const message = errors.find((fault) => fault.pointer === pointer)?.message ?? null;
      if (message === null || ifEmpty === false) return message;
      return isStrict ? ifEmpty : null;
    },
    strays: () =>
      errors.flatMap(({ pointer, message }) => (pointer === null || FIELDS.test(pointer) ? [] : [message])),
    below: (pointer) =>
      errors.filter((fault) => fault.pointer?.startsWith(`${pointer}/`)).map(({ message }) => message),
  };
}
