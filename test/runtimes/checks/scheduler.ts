/** The scheduler on the memory store, by the runtime's own clock and timers. */
import {
  createDispatch,
  createScheduler,
  type AttemptOutcome,
  type Scheduler,
  type SchedulerCallbacks,
  type SchedulerOptions,
} from 'headgate/delivery';
import { createMemoryStore, type MemoryStore } from 'headgate/memory';
import { type Checks, equal } from './checks.js';

const ENDPOINT = { id: '6f1d7f5e-4c0b-4d0e-9a54-0d2f3f1f8a11', status: 'active' } as const;
const SUCCESS: AttemptOutcome = { ok: true, status: 204 };
const FAILURE: AttemptOutcome = {
  ok: false,
  failure: 'http_status',
  status: 503,
  transient: true,
  detail: 'Busy',
};

interface Stage {
  readonly store: MemoryStore;
  readonly scheduler: Scheduler;
  /** Every callback, in order. */
  readonly told: string[];
  readonly sent: () => number;
}

/** A running scheduler with deliveries of some events. */
async function begin(
  events: number,
  send: (attempt: number) => unknown,
  options: Partial<SchedulerOptions> = {},
): Promise<Stage> {
  const store = createMemoryStore();
  const told: string[] = [];
  const tell = (name: keyof SchedulerCallbacks) => (): void => void told.push(name);
  let sent = 0;
  const scheduler = createScheduler({
    store,
    transport: { send: async () => (await send(++sent)) as AttemptOutcome, close: () => Promise.resolve() },
    endpoints: (id) => ({ url: `https://${id}`, retry_max_attempts: 2, retry_backoff_base_seconds: 1 }),
    signer: { headers: () => ({}) },
    on: {
      delivered: tell('delivered'),
      retrying: tell('retrying'),
      deadLettered: tell('deadLettered'),
      released: tell('released'),
      leaseLost: tell('leaseLost'),
    },
    ...options,
  });
  for (let n = 0; n < events; n++) {
    const decision = { outcome: 'deliver' as const, event: { id: `evt_${n}`, type: 'x' }, endpointIds: null };
    await store.enqueue([createDispatch(decision, [ENDPOINT], { at: Date.now() })]);
  }
  scheduler.start();
  return { store, scheduler, told, sent: () => sent };
}

/** The checks of the scheduler. */
export const schedulerChecks: Checks = {
  'a hundred deliveries are sent and recorded': async () => {
    const { scheduler, store, told } = await begin(100, () => SUCCESS);
    await scheduler.idle();
    await scheduler.stop();
    equal(store.size().finished, 100, 'finished');
    equal(told.filter((name) => name === 'delivered').length, 100, 'told');
  },

  'what is enqueued later is sent on wake, and found without it': async () => {
    const { scheduler, store } = await begin(0, () => SUCCESS, { pollMs: 50 });
    await scheduler.idle();
    for (const wakes of [true, false]) {
      const decision = {
        outcome: 'deliver' as const,
        event: { id: `evt_${wakes}`, type: 'x' },
        endpointIds: null,
      };
      await store.enqueue([createDispatch(decision, [ENDPOINT], { at: Date.now() })]);
      if (wakes) scheduler.wake();
      while (store.size().unfinished > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await scheduler.stop();
    equal(store.size().finished, 2, 'finished');
  },

  'a retry comes a second later, lengthened by jitter, and then a dead letter': async () => {
    const began = Date.now();
    const { scheduler, store, told } = await begin(1, () => FAILURE, { jitter: 0.1 });
    await scheduler.idle();
    await scheduler.stop();
    equal(told, ['retrying', 'deadLettered'], 'told');
    equal(await store.deadLetters.count({}), 1, 'dead letters');
    equal(Date.now() - began >= 1_000, true, 'a second has passed');
  },

  'answers that are none stop nobody else': async () => {
    const answers = [undefined, 200n, { ok: true, status: 'x' }];
    const { scheduler, store } = await begin(10, (attempt) => (attempt > 3 ? SUCCESS : answers[attempt - 1]));
    await scheduler.idle();
    await scheduler.stop();
    equal(store.size().finished, 10, 'finished');
  },

  'a callback that throws is told of, and disturbs nothing': async () => {
    let told = 0;
    const { scheduler, store } = await begin(3, () => SUCCESS, {
      on: {
        delivered: () => {
          throw new Error('on purpose');
        },
        callbackFailed: () => void told++,
      },
    });
    await scheduler.idle();
    await scheduler.stop();
    equal([store.size().finished, told], [3, 3], 'finished and told');
  },

  'a stop with a signal waits a second for what hangs': async () => {
    const { scheduler, store, told } = await begin(1, () => new Promise(() => undefined));
    while (store.size().unfinished === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const began = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await scheduler.stop({ signal: AbortSignal.abort() });
    equal(told, ['leaseLost'], 'told');
    equal(Date.now() - began < 20_000, true, 'it ended long before the lease');
  },
};
