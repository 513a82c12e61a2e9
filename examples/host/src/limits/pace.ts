/** Spaces units of work, so that what comes meanwhile is done together with the next. */

/** While the process is under pressure, work that can wait leaves it more time. */
const GAP_UNDER_PRESSURE_MS = 100;

/**
 * A function that resolves when a unit may begin: the first at once, each further one some time after the one before.
 *
 * @param gapMs - Asked when a unit begins: how long the next one waits from then on. 0 waits for nothing.
 * @param isPressed - Whether the gap is as long as under pressure instead.
 */
export function createPace(gapMs: () => number, isPressed: () => boolean = () => false): () => Promise<void> {
  let free: Promise<void> = Promise.resolve();
  const gap = async (): Promise<void> => {
    const ms = isPressed() ? GAP_UNDER_PRESSURE_MS : gapMs();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  };
  return async () => {
    const turn = free;
    free = turn.then(gap);
    await turn;
  };
}
