/** Waiting for what must come, however busy the machine is: the deadline is the test's own. */
import { setTimeout } from 'node:timers/promises';

/** Resolves when the condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setTimeout(5);
}
