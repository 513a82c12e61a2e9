/** `uniqueItems` in time proportional to the size of the array; ajv compares each pair. */
import type { Work } from './work.js';

/** Work of one value within an element. */
const VALUE = 4;

/** The index of the first element that equals an earlier one; -1 if all differ. */
export function firstDuplicate(items: readonly unknown[], work: Work): number {
  const seen = new Set<string>();
  return items.findIndex((item) => {
    const text = canonical(item, work);
    return seen.size === seen.add(text).size;
  });
}

/** A text that equal values share, and no others. */
function canonical(value: unknown, work: Work): string {
  work.spend(VALUE + (typeof value === 'string' ? value.length >> 4 : 0));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, work)).join()}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(members[name], work)}`).join()}}`;
}
