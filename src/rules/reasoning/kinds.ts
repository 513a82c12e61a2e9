/** The kinds of values, as bits, and which of them may meet a demand. */
import type { Demand } from '../operators/index.js';

export const STRING = 1;
export const NUMBER = 2;
export const ARRAY = 4;
export const OBJECT = 8;
export const BOOLEAN = 16;
export const NULL = 32;
export const ANY_KIND = 63;

export function kindOf(value: unknown): number {
  if (value === null) return NULL;
  if (Array.isArray(value)) return ARRAY;
  const type = typeof value;
  return type === 'string' ? STRING : type === 'number' ? NUMBER : type === 'boolean' ? BOOLEAN : OBJECT;
}

/** The kinds of values that may meet a demand, as far as its kind tells: its own values may tell more. */
export function kindsMeeting(demand: Demand): number {
  switch (demand.kind) {
    case 'bound':
      return NUMBER + STRING;
    case 'contains':
      return typeof demand.value === 'string' ? ARRAY + STRING : ARRAY;
    case 'affix':
    case 'pattern':
      return STRING;
    default:
      return ANY_KIND;
  }
}
