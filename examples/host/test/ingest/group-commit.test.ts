/** Group commit: batches within their limits, each item once, and nothing left over. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { createGroupCommit } from '../../src/ingest/group-commit.js';

afterEach(() => void vi.useRealTimers());

test('whatever is added, batches keep their limits, and each caller gets the result of its own item', async () => {
  const items = fc.array(
    fc.record({ project: fc.constantFrom('a', 'b', 'c'), bytes: fc.integer({ min: 0, max: 12 }) }),
    { maxLength: 40 },
  );
  const limits = fc.record({
    width: fc.integer({ min: 1, max: 3 }),
    maxItems: fc.integer({ min: 1, max: 5 }),
    maxBytes: fc.integer({ min: 1, max: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(items, limits, async (all, { width, maxItems, maxBytes }) => {
      const batches: (readonly number[])[] = [];
      let running = 0;
      const commits = createGroupCommit<number, string>({
        ...{ width, maxItems, maxBytes, timeoutMs: 60_000, timedOut: () => new Error('timed out') },
        async write(batch) {
          running++;
          expect(running).toBeLessThanOrEqual(width);
          batches.push(batch);
          await nextTurn();
          running--;
          return batch.map((one) => `result ${one}`);
        },
      });
      const results = all.map(({ project, bytes }, i) => commits.add(project, i, bytes));
      expect(commits.size).toBe(all.length);
      // Nothing is under way yet, but all of it waits.
      await commits.idle();
      expect(commits.size).toBe(0);
      expect(batches.flat().sort((a, b) => a - b)).toEqual(all.map((_, i) => i));
      expect(await Promise.all(results)).toEqual(all.map((_, i) => `result ${i}`));
      for (const batch of batches) {
        expect(batch.length).toBeLessThanOrEqual(maxItems);
        const bytes = batch.map((i) => all[i]!.bytes);
        if (batch.length > 1) expect(bytes.reduce((a, b) => a + b)).toBeLessThanOrEqual(maxBytes);
      }
    }),
  );
});

test.for([
  { what: 'was written', write: () => Promise.resolve(['done']) },
  { what: 'has failed', write: () => Promise.reject(new Error('full')) },
])('a batch that $what leaves no timer that would call it late', async ({ write }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const timedOut = vi.fn(() => new Error('timed out'));
  const limits = { width: 1, maxItems: 1, maxBytes: 1, timeoutMs: 5_000 };
  const commits = createGroupCommit<string, string>({ ...limits, write, timedOut });
  await Promise.allSettled([commits.add('a', 'item', 1)]);
  await commits.idle();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(timedOut).not.toHaveBeenCalled();
});
