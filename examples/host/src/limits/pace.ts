/** Spaces units of work, so that what comes meanwhile is done together with the next. */

/**
 * A function that resolves when a unit may begin: the first at once, each further one some time after the one before.
 *
 * @param gapMs - Asked when a unit begins: how long the next one waits from then on. 0 waits for nothing.
 */
export function createPace(gapMs: () => number): () => Promise<void> {
  let free: Promise<void> = Promise.resolve();
  const gap = async (): Promise<void> => {
    const ms = gapMs();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  };
  return async () => {
    const turn = free;
    free = turn.then(gap);
    await turn;
  };
}
