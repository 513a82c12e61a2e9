/** Caches of what other processes change, and look-ups made together. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBatch } from '../../src/caching/batch.js';
import { createFreshCache } from '../../src/caching/fresh-cache.js';

describe('a fresh cache', () => {
  test('gives no value that was read more than a second ago or before the last clear, whatever happens', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: -1_500, max: 1_500 }) }),
      fc.record({ do: fc.constantFrom('change', 'clear', 'get', 'fail') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step), async (steps) => {
        let [now, stored, fails] = [1e9, 0, false];
        /** When each value was replaced. */
        const replacedAt = new Map<number, number>();
        let clearedAt = 0;
        const cache = createFreshCache({
          now: () => now,
          load: () => (fails ? Promise.reject(new Error('away')) : Promise.resolve(stored)),
        });
        for (const taken of steps) {
          if ('ms' in taken) now += taken.ms;
          else if (taken.do === 'change') replacedAt.set(stored++, now);
          else if (taken.do === 'fail') fails = !fails;
          else if (taken.do === 'clear') {
            cache.clear();
            clearedAt = stored;
          } else {
            const value = await cache.get('key').catch(() => null);
            if (value === null) {
              expect(fails).toBe(true);
              continue;
            }
            expect(value).toBeGreaterThanOrEqual(clearedAt);
            const age = value === stored ? 0 : now - (replacedAt.get(value) ?? 0);
            expect(age).toBeLessThan(1_000);
          }
        }
      }),
    );
  });

  test('callers at one time share a read, and a clear during a read makes the next one read again', async () => {
    let reads = 0;
    const release: ((value: number) => void)[] = [];
    const cache = createFreshCache({
      now: () => 0,
      load: () => new Promise<number>((resolve) => release.push(resolve) && reads++),
    });
    const [a, b] = [cache.get('key'), cache.get('key')];
    expect(reads).toBe(1);
    cache.clear();
    const c = cache.get('key');
    expect(reads).toBe(2);
    release[1]?.(2);
    release[0]?.(1);
    expect(await Promise.all([a, b, c])).toEqual([1, 1, 2]);
    expect(await cache.get('key')).toBe(2);
  });

  test('an old read that fails late does not take away a newer one', async () => {
    const endings: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
    const cache = createFreshCache({
      now: () => 0,
      load: () => new Promise<number>((resolve, reject) => endings.push({ resolve, reject })),
    });
    const old = cache.get('key');
    cache.clear();
    const newer = cache.get('key');
    endings[0]?.reject(new Error('away'));
    await expect(old).rejects.toThrow('away');
    endings[1]?.resolve(2);
    expect(await newer).toBe(2);
    expect(await cache.get('key')).toBe(2);
    expect(endings).toHaveLength(2);
  });

  test('holds no more than it is allowed to, and forgets the oldest', async () => {
    const loaded: number[] = [];
    const load = (key: number): Promise<number> => Promise.resolve(loaded.push(key));
    const cache = createFreshCache({ now: () => 0, maxEntries: 2, load });
    for (const key of [1, 2, 3, 2, 3, 1]) await cache.get(key);
    expect(loaded).toEqual([1, 2, 3, 1]);
  });
});

describe('a batch', () => {
  test('look-ups of one tick are one, each key once, and each caller gets the value of its key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { minLength: 1, maxLength: 50 }), async (keys) => {
        const calls: (readonly number[])[] = [];
        const get = createBatch((asked: readonly number[]) => {
          calls.push(asked);
          return Promise.resolve(new Map(asked.filter((key) => key < 15).map((key) => [key, `v${key}`])));
        });
        const values = await Promise.all(keys.map((key) => get(key)));
        expect(values).toEqual(keys.map((key) => (key < 15 ? `v${key}` : undefined)));
        expect(calls).toHaveLength(1);
        expect([...(calls[0] ?? [])].sort()).toEqual([...new Set(keys)].sort());
      }),
    );
  });

  test('more than 500 keys are several look-ups, and what follows a tick is another', async () => {
    const sizes: number[] = [];
    const get = createBatch((keys: readonly number[]) => {
      sizes.push(keys.length);
      return Promise.resolve(new Map(keys.map((key) => [key, key])));
    });
    const keys = Array.from({ length: 1_200 }, (_, i) => i);
    expect(await Promise.all(keys.map((key) => get(key)))).toEqual(keys);
    await get(1);
    expect(sizes).toEqual([500, 500, 200, 1]);
  });

  test('a look-up that fails fails for its callers alone', async () => {
    let fails = true;
    const get = createBatch((keys: readonly number[]) =>
      fails ? Promise.reject(new Error('away')) : Promise.resolve(new Map(keys.map((key) => [key, key]))),
    );
    await expect(Promise.all([get(1), get(2)])).rejects.toThrow('away');
    fails = false;
    expect(await get(1)).toBe(1);
  });
});
