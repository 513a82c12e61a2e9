/** Pieces of the sentences in issues. */

/** Text longer than this is cut in messages. */
const SHOWN = 40;

/** A value, short enough for a sentence. */
export function show(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);
  }
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint') return 'a bigint';
  return typeof value === 'object' && value !== null ? kindOfObject(value) : String(value);
}

/** Such as `an object`, `a Promise` or `a Map`. */
function kindOfObject(value: object): string {
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (kind === 'Object') return 'an object';
  return /^[AEIOU]/.test(kind) ? `an ${kind}` : `a ${kind.slice(0, SHOWN)}`;
}
