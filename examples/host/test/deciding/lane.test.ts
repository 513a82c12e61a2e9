/** A lane whose jobs never end: how many threads it starts, and how it notices time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { EvaluatorThread } from '../../src/deciding/evaluator-thread.js';
import type { HeldEvent } from '../../src/deciding/held.js';
import { createLane, type LaneParts } from '../../src/deciding/lane.js';
import { ThreadLost } from '../../src/threads/index.js';

/** Threads whose jobs run until they are ended, and how many of them live. */
function endless() {
  const counts = { started: 0, alive: 0, most: 0 };
  const start = (): EvaluatorThread => {
    counts.started++;
    counts.most = Math.max(counts.most, ++counts.alive);
    let fail = (): void => undefined;
    return {
      started: Promise.resolve(),
      run: () =>
        new Promise((_, reject) => {
          fail = () => reject(new ThreadLost(true, new Error('ended')));
        }),
      progress: () => 0,
      end: () => {
        counts.alive--;
        fail();
        fail = () => undefined;
        return Promise.resolve();
      },
    };
  };
  return { counts, start };
}

const heldOf = (n: number): HeldEvent => ({
  event: {
    ...{ id: `e${n}`, project: `p${n}`, channelId: null, channelName: null, type: 't', receivedAt: 0 },
    ...{ data: '{}', rawPayload: null },
  },
  ...{ units: 2, asked: null, isAnswered: false },
});

test('however many jobs get stuck, few threads run at once, and each job has had its turn', async () => {
  const { counts, start } = endless();
  const failed: string[] = [];
  const stuck = new Set<string>();
  const parts: LaneParts = {
    ...{ start, threads: 1, jobEvents: 1, jobUnits: 10, stuckMs: 4, hangMs: 600_000 },
    rulesOf: () => Promise.resolve({ version: 1, text: '[]' }),
    evaluated: () => undefined,
    failed: (held) => failed.push(...held.map(({ event }) => event.id)),
    returned: () => lane.pump(),
    notStarted: () => undefined,
    stuck: (project) => void stuck.add(project),
    replaced: () => undefined,
    mayStart: () => true,
  };
  const lane = createLane(parts);
  for (let n = 0; n < 20; n++) lane.add(heldOf(n));
  lane.pump();
  while (stuck.size < 20) await sleep(1);
  expect(counts.started).toBeGreaterThanOrEqual(20);
  expect(counts.most).toBeLessThanOrEqual(1 + 4 + 1);
  expect(failed).toEqual(Array.from({ length: 20 - 4 }, (_, n) => `e${n}`));
  await lane.end();
});
