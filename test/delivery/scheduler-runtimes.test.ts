/** Runtimes that lack functions of Node or are stricter. Tests on real runtimes are in test/runtimes. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import { createScheduler, defaultRetryPolicy } from '../../src/delivery/index.js';
import { success } from './arbitraries.js';
import { BODY, someDeliveries } from './stage.js';

/** Methods that browsers and Workers refuse to run on any `this` but their own. */
const METHODS = {
  global: ['queueMicrotask', 'setTimeout', 'clearTimeout'],
  performance: ['now'],
  crypto: ['getRandomValues', 'randomUUID'],
} as const;

/** The same method, which throws on a foreign `this` as Web IDL says. */
function strict(owner: object, name: string, accepted: readonly unknown[]): unknown {
  const original = (owner as Record<string, (...given: unknown[]) => unknown>)[name]!;
  return function (this: unknown, ...given: unknown[]): unknown {
    if (!accepted.includes(this)) throw new TypeError('Illegal invocation');
    return original.apply(owner, given);
  };
}

beforeEach(() => {
  vi.stubGlobal('setImmediate', undefined);
  for (const name of METHODS.global) {
    vi.stubGlobal(name, strict(globalThis, name, [undefined, globalThis]));
  }
  for (const owner of ['performance', 'crypto'] as const) {
    const original = globalThis[owner];
    const copy: Record<string, unknown> = {};
    for (const name of METHODS[owner]) copy[name] = strict(original, name, [copy]);
    vi.stubGlobal(owner, copy);
  }
});
afterEach(() => void vi.unstubAllGlobals());

describe('without setImmediate, and with methods that insist on their `this`', () => {
  test.for(['once a second', 'only on wake'])(
    'a scheduler that polls %s sends and records',
    async (polls) => {
      const store = createMemoryStore();
      const told: unknown[] = [];
      let sent = 0;
      const scheduler = createScheduler({
        store,
        transport: {
          send: () => (sent++, Promise.resolve(success)),
          close: () => Promise.resolve(),
        },
        endpoints: (id) => ({ url: `https://${id}`, ...defaultRetryPolicy }),
        signer: { headers: () => ({}) },
        jitter: 1,
        pollMs: polls === 'once a second' ? 1_000 : Infinity,
        on: {
          delivered: () => {
            throw new Error('told all the same');
          },
          callbackFailed: (error) => void told.push(error),
        },
      });
      await store.enqueue([{ body: BODY, deliveries: someDeliveries(3) }]);
      scheduler.start();
      await scheduler.idle();
      await scheduler.stop();
      expect(sent).toBe(3);
      expect(store.size()).toMatchObject({ unfinished: 0, finished: 3 });
      expect(told).toHaveLength(3);
    },
  );
});
