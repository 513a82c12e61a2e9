/** Finds the setting that a misspelled variable was meant to be. Pure. */

/** More edits than this make another word. */
const MOST_EDITS = 3;

/**
 * The name that a text is most like: one to three edits away, or the text without `prefix`. Null if no name is like it,
 * or several are equally like it.
 *
 * @param prefix - Begins most names, such as `HEADGATE_`; a name without it is often written with it.
 */
export function meantBy(text: string, names: readonly string[], prefix: string): string | null {
  const without = names.find((name) => `${prefix}${name}` === text);
  if (without !== undefined) return without;
  const distances = names.map((name) => edits(text, name));
  const least = Math.min(...distances);
  const nearest = names.filter((_, i) => distances[i] === least);
  return least <= MOST_EDITS && nearest.length === 1 ? (nearest[0] ?? null) : null;
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other. */
function edits(from: string, to: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      next.push(
        Math.min(
          at(row, j - 1) + (isSame ? 0 : 1),
          at(row, j) + 1,
          at(next, j - 1) + 1,
          isSwap ? at(before, j - 2) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return at(row, to.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;
