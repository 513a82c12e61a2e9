/** The contract of stores of seen keys. */
import { expect, test } from 'vitest';
import { createReceiver, type SeenStore } from '../../src/receiver/index.js';
import { delivery, SECRET } from './deliveries.js';

/** A store, and what lets a key grow older than a handler may take; missing where a store ends with its process. */
export interface SeenStage {
  readonly seen: SeenStore;
  readonly age?: (key: string) => unknown;
}

let events = 0;
const newKey = (): string => `live evt_${++events}`;

/** Registers the tests of a store. */
export function seenContract(open: () => SeenStage | Promise<SeenStage>): void {
  test('a key is new, then in progress, and once it is handled known for good', async () => {
    const { seen } = await open();
    const key = newKey();
    expect(await seen.begin(key)).toBe(true);
    expect(await seen.begin(key)).toBe('in_progress');
    expect(await seen.begin(newKey())).toBe(true);
    await seen.end(key, true);
    expect(await seen.begin(key)).toBe(false);
    expect(await seen.begin(key)).toBe(false);
  });

  test('a key whose handling failed is new again', async () => {
    const { seen } = await open();
    const key = newKey();
    await seen.begin(key);
    await seen.end(key, false);
    expect(await seen.begin(key)).toBe(true);
  });

  test('one of many that begin at the same time gets the key', async () => {
    const { seen } = await open();
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 50 }, () => Promise.resolve(seen.begin(key))));
    expect(answers.filter((answer) => answer === true)).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'in_progress')).toHaveLength(49);
  });

  test('a key in progress is new after a while, where its process may have died, and one that was handled is not', async () => {
    const { seen, age } = await open();
    const [begun, handled] = [newKey(), newKey()];
    for (const key of [begun, handled]) await seen.begin(key);
    await seen.end(handled, true);
    for (const key of [begun, handled]) await age?.(key);
    expect(await seen.begin(handled)).toBe(false);
    expect(await seen.begin(begun)).toBe(age === undefined ? 'in_progress' : true);
    expect(await seen.begin(begun)).toBe('in_progress');
  });

  test('a receiver with it handles each of many repeats once', async () => {
    const { seen } = await open();
    const handled: string[] = [];
    const { fetch } = createReceiver({
      secrets: SECRET,
      seen,
      handle: ({ id }) => void handled.push(id),
      onError: () => undefined,
    });
    const ids = Array.from({ length: 10 }, () => newKey().slice(5));
    const send = async (id: string): Promise<number> => {
      const { body, headers } = delivery({ id });
      const request = new Request('https://example.com/', { method: 'POST', body, headers });
      return (await fetch(request)).status;
    };
    const statuses = await Promise.all([...ids, ...ids, ...ids].map(send));
    expect(statuses.every((status) => status === 204 || status === 503)).toBe(true);
    expect(handled.sort()).toEqual(ids.sort());
    expect(await Promise.all(ids.map(send))).toEqual(ids.map(() => 204));
    expect(handled).toHaveLength(ids.length);
  });
}
