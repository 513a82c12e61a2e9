/** A match tree as the address of the events has it. Pure. */

/** Whether a text may be a match tree: it is an object. The service validates the tree itself. */
export function mayBeMatch(text: string): boolean {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/** Servers and browsers take addresses of twice this length. */
const MOST_UNITS = 8_000;

/** Whether a match tree is too long for the address of the page. */
export const isTooLong = (match: string): boolean =>
  new URLSearchParams({ match }).toString().length > MOST_UNITS;
