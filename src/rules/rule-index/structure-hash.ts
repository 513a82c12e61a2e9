/** A number for an object or array that is the same for all that equal it, whatever the order of their keys. */

/** Units of a text that are looked at. */
const TEXT_UNITS = 32;

/** The sum over all members at any depth of what each is and the key it has: a sum knows no order. By a loop. */
export function structureHash(structure: object): number {
  let sum = 0;
  const pending: object[] = [structure];
  for (let container = pending.pop(); container !== undefined; container = pending.pop()) {
    const isArray = Array.isArray(container);
    for (const key of Object.keys(container)) {
      const member = (container as Record<string, unknown>)[key];
      if (member === undefined) continue;
      if (typeof member === 'object' && member !== null) pending.push(member);
      sum = (sum + Math.imul(textHash(key) + (isArray ? 1 : 2), memberHash(member))) | 0;
    }
  }
  return sum;
}

/** Odd, so that a product with it loses nothing. */
function memberHash(member: unknown): number {
  if (typeof member === 'string') return (textHash(member) << 3) | 1;
  if (typeof member === 'number') return (Math.imul(member, 0x9e3779b1) << 3) | 3;
  if (typeof member === 'object' && member !== null) return Array.isArray(member) ? 5 : 7;
  return member === true ? 9 : member === false ? 11 : 13;
}

function textHash(text: string): number {
  let hash = text.length;
  const end = Math.min(text.length, TEXT_UNITS);
  for (let at = 0; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
