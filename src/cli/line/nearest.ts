/** Guesses at misspelled words. */

/** ` Did you mean …?` with the known word that is a slip or two away, or begins like the given one; else nothing. */
export function nearest(word: string, known: readonly string[]): string {
  const [best] = known
    .map((name) => ({ name, slips: name.startsWith(word) ? 0 : slips(word, name) }))
    .filter(({ name, slips }) => slips <= Math.max(1, Math.floor(name.length / 3)))
    .sort((one, other) => one.slips - other.slips);
  return best === undefined || word === '' ? '' : ` Did you mean ${best.name}?`;
}

/** Letters to put in, leave out, change, or swap with the next one. */
function slips(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      next.push(
        Math.min(
          (row[j - 1] ?? 0) + (isSame ? 0 : 1),
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
