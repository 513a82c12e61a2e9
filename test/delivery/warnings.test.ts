/** Warnings about failures for which the host has no callback. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMemoryStore } from '../../src/adapters/memory/index.js';
import {
  createScheduler,
  defaultRetryPolicy,
  type DeliveryStore,
  OptionError,
  type SchedulerCallbacks,
  type SchedulerOptions,
  StoreError,
} from '../../src/delivery/index.js';
import { createManualClock } from '../../src/testing/index.js';
import { NOW, success } from './arbitraries.js';
import { BODY, someDeliveries } from './stage.js';

const HOUR = 3_600_000;
const SECRET = 'whsec_password';

let warnings: string[] = [];
beforeEach(() => {
  warnings = [];
  vi.spyOn(process, 'emitWarning').mockImplementation((warning, type) => {
    expect(type).toBe('HeadgateWarning');
    warnings.push(String(warning));
  });
});
afterEach(() => void vi.restoreAllMocks().unstubAllGlobals());

/** Failures of a scheduler that tries to send three deliveries for an hour. */
async function run(faults: Partial<SchedulerOptions>, on?: SchedulerOptions['on']): Promise<void> {
  const clock = createManualClock(NOW);
  const store = createMemoryStore();
  const scheduler = createScheduler({
    clock,
    store: { ...store, ...faults.store },
    transport: { send: () => Promise.resolve(success), close: () => Promise.resolve() },
    endpoints: (id) => ({ url: `https://${id}`, ...defaultRetryPolicy }),
    signer: { headers: () => ({}) },
    ...(on !== undefined && { on }),
    ...Object.fromEntries(Object.entries(faults).filter(([part]) => part !== 'store')),
  });
  await store.enqueue([{ body: BODY, deliveries: someDeliveries(3) }]);
  scheduler.start();
  await clock.advance(HOUR);
  void scheduler.stop({ signal: AbortSignal.abort() });
  await clock.advance(HOUR);
}

const failing = (operation: 'claim' | 'settle', error: unknown): Partial<SchedulerOptions> => ({
  store: {
    [operation]: () => {
      throw error;
    },
  } as unknown as DeliveryStore,
});
const throwing = (error: unknown) => (): never => {
  throw error;
};
const outdated = new StoreError('store_outdated', 'The tables are not there: call migrate()');

const faults: readonly {
  what: string;
  faults: Partial<SchedulerOptions>;
  callback: keyof SchedulerCallbacks;
  says: string;
  on?: SchedulerCallbacks;
}[] = [
  {
    what: 'the schema is missing',
    faults: failing('claim', outdated),
    callback: 'storeFailed',
    says: 'call migrate()',
  },
  {
    what: 'the database is away for records',
    faults: failing('settle', new StoreError('store_unreachable', 'Postgres cannot be reached')),
    callback: 'storeFailed',
    says: 'cannot be reached',
  },
  {
    what: 'a store throws what is no error of a store',
    faults: failing('claim', new TypeError(SECRET)),
    callback: 'storeFailed',
    says: 'TypeError',
  },
  {
    what: 'a look-up throws',
    faults: { endpoints: throwing(Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' })) },
    callback: 'released',
    says: 'Error (ECONNREFUSED)',
  },
  {
    what: 'a signer throws nothing',
    faults: { signer: throwing(undefined) },
    callback: 'released',
    says: 'OptionError',
  },
  {
    what: 'a look-up refuses',
    faults: { endpoints: throwing(new OptionError('invalid_secret', SECRET)) },
    callback: 'attempted',
    says: 'invalid_secret',
  },
  {
    what: 'a look-up forgets to return',
    faults: { endpoints: () => undefined },
    callback: 'deadLettered',
    says: 'found no endpoint for a delivery. The delivery is a dead letter now.',
  },
  {
    what: 'a transport gives no outcome',
    faults: { transport: { send: () => undefined as never, close: () => Promise.resolve() } },
    callback: 'attempted',
    says: 'no outcome',
  },
  {
    what: 'a transport hangs',
    faults: { transport: { send: () => new Promise(() => undefined), close: () => Promise.resolve() } },
    callback: 'leaseLost',
    says: 'hang',
  },
  {
    what: 'a callback throws',
    faults: {},
    on: { delivered: throwing(new RangeError(SECRET)) },
    callback: 'callbackFailed',
    says: 'RangeError',
  },
];

describe.for(faults)('when $what', ({ faults, callback, says, on }) => {
  test('one warning says so, names the callback to give, and quotes nobody', async () => {
    await run(faults, on);
    expect(warnings).toEqual([
      expect.stringMatching(/^headgate: .* This is printed once; pass on: \{ \w+ \}/),
    ]);
    expect(warnings[0]).toContain(says);
    expect(warnings[0]).toContain(`{ ${callback} }`);
    expect(warnings[0]).not.toContain(SECRET);
  });

  test('nothing is said to a host that listens, at any index of its list', async () => {
    let told = 0;
    await run(faults, [on ?? {}, { [callback]: () => void told++ }]);
    expect(warnings).toEqual([]);
    expect(told).toBeGreaterThan(0);
  });
});

test.for(['attempted', 'deadLettered'] as const)(
  'a host that gives %s alone is told of every endpoint that is gone, and warned of none',
  async (callback) => {
    let told = 0;
    await run({ endpoints: () => undefined }, { [callback]: () => void told++ });
    expect([told, warnings]).toEqual([3, []]);
  },
);

test('a mistake that is tried again is said to a host that hears of dead letters alone', async () => {
  await run(
    { endpoints: throwing(new OptionError('invalid_secret', SECRET)) },
    { deadLettered: () => undefined },
  );
  expect(warnings).toEqual([
    expect.stringContaining('After the last attempt, the delivery is a dead letter.'),
  ]);
});

test('damage is one cause, however many deliveries it is found in', async () => {
  let n = 0;
  const damage = (): StoreError => new StoreError('store_damaged', `delivery "evt_${n++}:a": no body`);
  await run({ store: { claim: () => throwing(damage())() } as unknown as DeliveryStore });
  expect(n).toBeGreaterThan(1);
  expect(warnings).toEqual([
    expect.stringMatching(/found delivery "evt_0:a": no body\. Everything else goes on;/),
  ]);
});

test('a host that listens to one thing is told of another', async () => {
  await run(failing('claim', outdated), { released: () => undefined });
  expect(warnings).toHaveLength(1);
});

test('each cause has a warning of its own, but never more than a hundred', async () => {
  let n = 0;
  await run(failing('claim', undefined), {});
  expect(warnings).toHaveLength(1);
  await run({ endpoints: () => throwing(Object.assign(new Error(), { code: `E${n++}` }))(), pollMs: 1_000 });
  expect(n).toBeGreaterThan(101);
  expect(warnings).toHaveLength(101);
});

test('where a process has no warnings, the console has them', async () => {
  const said = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.stubGlobal('process', Object.create(process, { emitWarning: { value: undefined } }));
  await run(failing('claim', outdated));
  vi.unstubAllGlobals();
  expect(said).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('call migrate()'));
});

test('nothing goes wrong, nothing is said', async () => {
  await run({});
  expect(warnings).toEqual([]);
});
