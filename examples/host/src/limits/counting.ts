/** Counts in texts, to refuse what is too much before anything is made of it. */

/** Whether a character occurs in a text more often than `most` times. Looks no further than it must. */
export function hasMore(text: string, char: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(char); at >= 0; at = text.indexOf(char, at + 1)) {
    if (++count > most) return true;
  }
  return false;
}
