/** Many attempts at hostile receivers of every kind, and what they leave behind. */
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { openGroundsApart } from './apart.js';
import { startSender } from './delivering.js';
import { atRest, type Footprint, footprint } from './footprint.js';
import { ending } from './table.js';
import { worldOn } from './world.js';

/** The result of the run. */
export interface Endured {
  readonly attempts: number;
  readonly seconds: number;
  /** How many attempts ended how: failure codes, and `delivered`. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** At rest, once every receiver had been met many times. */
  readonly before: Footprint;
  /** At rest again. */
  readonly after: Footprint;
  /** Bytes that the process holds for each attempt afterwards. */
  readonly bytesPerAttempt: number;
}

const CONCURRENCY = 300;
const TIMEOUT_MS = 1_000;
const PACE_MS = 50;
/**
 * Unused connections are kept for 4 s, and DNS servers that never answer are asked for 14 s; a busy machine takes
 * longer.
 */
const REST_MS = 120_000;

/**
 * Makes attempts, all through one scheduler and one transport that stay open to the end. The store forgets what is
 * over.
 *
 * @param attempts - How many, at least.
 */
export async function endure(attempts: number): Promise<Endured> {
  const grounds = await openGroundsApart(PACE_MS);
  const world = worldOn(grounds);
  let outcomes = new Map<string, number>();
  const sender = startSender(world, {
    store: createMemoryStore({ keepFinished: 0, keepDeadLetters: 0 }),
    timeoutMs: TIMEOUT_MS,
    concurrency: CONCURRENCY,
    on: {
      attempted: (_, { outcome }) =>
        void outcomes.set(ending(outcome), (outcomes.get(ending(outcome)) ?? 0) + 1),
    },
  });
  const rounds = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) await sender.send(`evt_${n}`);
    await sender.scheduler.idle();
  };
  await sender.scheduler.idle(); // from now on it holds the one timer that it always has
  const asleep = await footprint();
  await rounds(20); // compiles what there is to compile
  await atRest(asleep, REST_MS);
  outcomes = new Map();
  const before = await footprint();
  const startedAt = Date.now();
  await rounds(Math.ceil(attempts / world.endpoints.length));
  const seconds = (Date.now() - startedAt) / 1_000;
  await atRest(before, REST_MS);
  const after = await footprint();
  await sender.stop();
  await grounds.close();
  const made = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  const bytesPerAttempt = (after.retainedBytes - before.retainedBytes) / made;
  return { attempts: made, seconds, outcomes, before, after, bytesPerAttempt };
}
