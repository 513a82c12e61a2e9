/** JSON values in a line for people. */
import { stringifyJson } from '../../json-text.js';
import { cut } from './text.js';

/** UTF-16 units of a value in a line for people. */
const SHOWN_VALUE = 60;

/** A JSON value, cut; nothing for `undefined`. */
export function showValue(value: unknown, length = SHOWN_VALUE): string {
  // A string is cut before it is quoted, since it may be long.
  if (typeof value === 'string') return JSON.stringify(cut(value, length));
  return value === undefined ? '' : cut(stringifyJson(value), length);
}
