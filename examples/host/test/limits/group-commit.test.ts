/** Group commit: batches within their limits, each item once, and nothing left over. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createGroupCommit } from '../../src/limits/group-commit.js';

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
    gapMs: fc.constantFrom(0, 2),
    enough: fc.integer({ min: 1, max: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(items, limits, async (all, { width, maxItems, maxBytes, gapMs, enough }) => {
      const batches: (readonly number[])[] = [];
      let running = 0;
      const commits = createGroupCommit<number, string>({
        ...{
          width,
          maxItems,
          maxBytes,
          gapMs,
          enough,
          timeoutMs: 60_000,
          timedOut: () => new Error('timed out'),
        },
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
  const limits = { width: 1, gapMs: 4, enough: 1, maxItems: 1, maxBytes: 1, timeoutMs: 5_000 };
  const commits = createGroupCommit<string, string>({ ...limits, write, timedOut });
  await Promise.allSettled([commits.add('a', 'item', 1)]);
  await commits.idle();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(timedOut).not.toHaveBeenCalled();
});

describe('the gap between transactions', () => {
  /** Transactions that end when they are told to; time passes by hand. */
  function paced(enough = 50) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const batches: (readonly string[])[] = [];
    const ends: (() => void)[] = [];
    const commits = createGroupCommit<string, string>({
      ...{ width: 2, gapMs: 4, enough, maxItems: 50, maxBytes: 1_000, timeoutMs: 60_000 },
      timedOut: () => new Error('timed out'),
      async write(batch) {
        batches.push(batch);
        await new Promise<void>((resolve) => ends.push(resolve));
        return batch;
      },
    });
    const add = (...items: readonly string[]) => Promise.all(items.map((item) => commits.add('a', item, 1)));
    const pass = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      await nextTurn();
    };
    return { batches, ends, add, pass };
  }

  test('is nothing to a sender that waits for each answer', async () => {
    const { batches, ends, add } = paced();
    for (const item of ['one', 'two', 'three', 'four']) {
      const added = add(item);
      await vi.waitFor(() => expect(ends).toHaveLength(1), { interval: 1 });
      ends.pop()!();
      await added;
    }
    expect(batches).toHaveLength(4);
  });

  test('gathers what comes while a transaction is under way', async () => {
    const { batches, ends, add, pass } = paced();
    void add('one');
    await nextTurn();
    void add('two');
    await pass(1);
    ends[0]!();
    void add('three');
    await pass(2);
    expect(batches).toEqual([['one']]);
    await pass(1);
    expect(batches).toEqual([['one'], ['two', 'three']]);
  });

  test('goes on for a while, and is over once items come alone again', async () => {
    const { batches, ends, add, pass } = paced();
    void add('one', 'two');
    await nextTurn();
    ends[0]!();
    await pass(1);
    void add('three');
    await pass(2);
    expect(batches).toHaveLength(1);
    await pass(1);
    expect(batches).toHaveLength(2);
    ends[1]!();
    await pass(30);
    void add('four');
    await nextTurn();
    ends[2]!();
    await pass(1);
    void add('five');
    await nextTurn();
    expect(batches.slice(2)).toEqual([['four'], ['five']]);
  });

  test('is not kept after a transaction of enough items', async () => {
    const { batches, add } = paced(2);
    void add('one', 'two');
    await nextTurn();
    void add('three');
    await nextTurn();
    expect(batches).toEqual([['one', 'two'], ['three']]);
  });
});
