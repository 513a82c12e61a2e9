/** How much the memory store compares, as its backlog grows. */
import { describe, expect, test, vi } from 'vitest';
import { createMemoryStore, type MemoryStore } from '../../../src/adapters/memory/index.js';
import type * as heap from '../../../src/adapters/heap.js';
import { type DeliveryStore, newDelivery, transition } from '../../../src/delivery/index.js';
import { BATCH, type Counted, fillWork, measure, type Readings } from './measure.js';
import { type BacklogRow, FEW, manyEndpoints, MANY, NOW, type Shape, shapes } from './shapes.js';

/** Comparisons of two due times since they were last taken, and whether heaps are searched from end to end. */
const work = vi.hoisted(() => ({ compared: 0, isFaulty: false }));

// The heap itself, with an order that counts.
vi.mock('../../../src/adapters/heap.js', async (original) => {
  const { Heap } = await original<typeof heap>();
  return {
    Heap: class<Item extends { heapIndex: number }> extends Heap<Item> {
      readonly #all = new Set<Item>();
      readonly #before: (a: Item, b: Item) => boolean;

      constructor(before: (a: Item, b: Item) => boolean) {
        const counting = (a: Item, b: Item): boolean => {
          work.compared++;
          return before(a, b);
        };
        super(counting);
        this.#before = counting;
      }

      override push(item: Item): void {
        this.#all.add(item);
        super.push(item);
      }

      override remove(item: Item): void {
        this.#all.delete(item);
        super.remove(item);
      }

      override peek(): Item | undefined {
        const top = super.peek();
        if (work.isFaulty && top !== undefined) {
          for (const item of this.#all) this.#before(item, top);
        }
        return top;
      }
    },
  };
});

/**
 * A heap of a hundred times as many items is 17 levels deep, not 10; where many are due at once, no walk ends early.
 */
const DEEPER = 2;
/**
 * Comparisons for each delivery that a claim takes, and each full endpoint: four walks through a heap, two at each
 * level.
 */
const PER_DELIVERY = 4 * 2 * 17;

/** Memory has no planner: backlogs that differ for it. */
const NAMES = [
  ...[
    'finished',
    'dead letters',
    'due now at one endpoint that is full',
    'due now at 200 endpoints that are full',
  ],
  ...['due in the same millisecond', 'leased'],
];
const memoryShapes = shapes.filter(({ name }) => NAMES.includes(name));

function countedMemory(): Counted {
  const store = createMemoryStore({ keepFinished: 1_000_000 });
  return {
    store: () => store,
    fill: (rows) => fill(store, rows),
    analyze: () => Promise.resolve(),
    take: () => {
      const read = work.compared;
      work.compared = 0;
      return { read, scans: 0, sorts: 0 };
    },
    close: () => Promise.resolve(),
  };
}

const body = new Uint8Array(2);
const attempt = {
  started_at: NOW,
  ended_at: NOW,
  outcome: { ok: false, failure: 'timeout', transient: true, detail: '' },
} as const;

/**
 * Through the store: there is no other way in. What is not pending is leased, and then settled unless it is to stay so.
 */
async function fill(store: MemoryStore, rows: Iterable<BacklogRow & { readonly id: string }>): Promise<void> {
  const all = [...rows];
  const states = new Map(all.map((row) => [`${row.id}:${row.endpointId}`, row]));
  const deliveries = all.map(({ id, endpointId, state, dueAt }) =>
    newDelivery({ id, type: 'x' }, endpointId, { at: state === 'pending' ? dueAt! : LONG_AGO }),
  );
  for (const delivery of deliveries) await store.enqueue([{ body, deliveries: [delivery] }]);
  await leaseAll(store, states);
}

const LONG_AGO = 1_000;

async function leaseAll(store: DeliveryStore, states: ReadonlyMap<string, BacklogRow>): Promise<void> {
  const request = { lease: 'another', at: LONG_AGO, until: NOW, perEndpoint: Infinity, inFlight: new Map() };
  const { claims } = await store.claim({ ...request, limit: Number.MAX_SAFE_INTEGER });
  const settlements = claims.map(({ delivery }) => {
    const { state, dueAt, finishedAt } = states.get(delivery.id)!;
    const last = { ...attempt, number: 1 };
    const after = transition(delivery, { type: 'attempt', lease: 'another', attempt, policy: null });
    if (!after.ok) throw new Error(after.reason);
    if (state === 'leased') {
      return { lease: 'another', delivery: { ...delivery, due_at: dueAt }, attempt: null };
    }
    return {
      lease: 'another',
      delivery: { ...after.delivery, state, finished_at: finishedAt, last_attempt: last },
      attempt: last,
    };
  });
  await store.settle(settlements);
}

async function readings(one: Shape, rows: number): Promise<Readings> {
  const counted = countedMemory();
  await counted.fill(Array.from({ length: rows }, (_, n) => ({ id: `old ${n}`, ...one.row(n) })));
  await fillWork(counted, 'work');
  return measure(counted, one);
}

function expectNearlyFlat({ full }: Shape, few: Readings, many: Readings): void {
  expect(Object.keys(many)).toEqual(Object.keys(few));
  for (const [name, { read }] of Object.entries(many)) {
    expect(read, `${name}: compared`).toBeLessThanOrEqual(DEEPER * few[name]!.read + BATCH);
  }
  expect(many.claim!.read, 'claim: compared').toBeLessThanOrEqual(PER_DELIVERY * (BATCH + full.length));
}

describe.each(memoryShapes)('a backlog of deliveries $name', (one) => {
  test('makes no call compare more at 100,000 than the depth of a heap', async () => {
    expectNearlyFlat(one, await readings(one, one.few ?? FEW), await readings(one, MANY));
  });
});

test('a hundred times as many endpoints make no call compare more than the depth of a heap', async () => {
  expectNearlyFlat(manyEndpoints, await readings(manyEndpoints, FEW), await readings(manyEndpoints, MANY));
});

test.each(['due now at one endpoint', 'due now at 200 endpoints'])(
  'a law sees a heap that looks at all it holds, with %s',
  async (name) => {
    const one = shapes.find((each) => each.name === name)!;
    work.isFaulty = true;
    try {
      const [few, many] = [await readings(one, FEW / 5), await readings(one, FEW)];
      expect(() => expectNearlyFlat(one, few, many)).toThrow(': compared');
    } finally {
      work.isFaulty = false;
    }
  },
);
