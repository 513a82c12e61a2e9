/** A scheduler with a manual clock, a memory store and a scripted transport around it. */
import { createMemoryStore, type MemoryStore } from '../../src/adapters/memory/index.js';
import {
  type AttemptRequest,
  createScheduler,
  defaultRetryPolicy,
  type Delivery,
  type DeliveryStore,
  type RetryPolicy,
  type Scheduler,
  type SchedulerCallbacks,
  type SchedulerOptions,
  type Transport,
} from '../../src/delivery/index.js';
import {
  createManualClock,
  createScriptedTransport,
  type ManualClock,
  type ScriptedAnswer,
  type ScriptedTransport,
} from '../../src/testing/index.js';
import { liveDelivery, NOW } from './arbitraries.js';

export const BODY = new TextEncoder().encode('{"id":"evt_1","data":{}}');

/** The event that a request carries. */
export const eventOf = (request: AttemptRequest): string => request.headers['Svc-Event-Id'] ?? '';
/** The endpoint that a request goes to. */
export const endpointOf = (request: AttemptRequest): string => request.url.replace('https://', '');

export interface Stage {
  readonly clock: ManualClock;
  readonly store: MemoryStore;
  readonly transport: ScriptedTransport;
  readonly scheduler: Scheduler;
  /** Names of the callbacks that were called, with the delivery they told of. */
  readonly told: readonly (readonly [name: string, about: unknown])[];
  /** Enqueues live deliveries, due now, and wakes the scheduler. */
  enqueue(...deliveries: readonly Delivery[]): Promise<void>;
  get(id: string): Promise<Delivery | undefined>;
  /** Milliseconds from the start at which requests went out, with their event. */
  sent(): readonly (readonly [ms: number, event: string])[];
}

export interface StageOptions extends Partial<Omit<SchedulerOptions, 'store' | 'transport'>> {
  /** How each request fares; all succeed at once by default. */
  readonly answer?: (request: AttemptRequest, earlier: number) => ScriptedAnswer;
  readonly policy?: RetryPolicy;
  /** Puts something between the scheduler and its store. */
  readonly through?: (store: DeliveryStore) => DeliveryStore;
  readonly transport?: (scripted: Transport) => Transport;
  readonly clock?: ManualClock;
  readonly store?: MemoryStore;
}

/** A scheduler, not yet started, with everything around it under the test's hand. Endpoint `x` lives at `https://x`. */
export function setStage(options: StageOptions = {}): Stage {
  const { answer = () => ({ outcome: 204 }), policy = defaultRetryPolicy, through, ...rest } = options;
  const clock = options.clock ?? createManualClock(NOW);
  const store = options.store ?? createMemoryStore();
  const scripted = createScriptedTransport(clock, answer);
  const told: [string, unknown][] = [];
  const scheduler = createScheduler({
    endpoints: (id) => ({ url: `https://${id}`, ...policy }),
    signer: {
      headers: (_, about) => ({ 'Svc-Event-Id': about.eventId, 'Svc-Timestamp': String(about.timestamp) }),
    },
    pollMs: Infinity,
    ...rest,
    on: [recordInto(told), ...[options.on ?? []].flat()],
    clock,
    store: through?.(store) ?? store,
    transport: options.transport?.(scripted) ?? scripted,
  });
  return {
    clock,
    store,
    transport: scripted,
    scheduler,
    told,
    async enqueue(...deliveries) {
      await store.enqueue(deliveries.map((delivery) => ({ body: BODY, deliveries: [delivery] })));
      scheduler.wake();
    },
    get: async (id) => (await store.get(id))?.delivery,
    sent: () => scripted.sent.map(({ at, request }) => [at - NOW, eventOf(request)]),
  };
}

/** Live deliveries of events `evt_1` … `evt_count` to one endpoint. */
export const someDeliveries = (count: number, endpoint = 'a'): readonly Delivery[] =>
  Array.from({ length: count }, (_, n) => liveDelivery(`evt_${n + 1}`, endpoint));

/** Callbacks that note their calls. */
const recordInto = (told: [string, unknown][]): SchedulerCallbacks =>
  new Proxy<SchedulerCallbacks>(
    {},
    {
      // `attempting` asks for a trace, and tells of nothing.
      get: (_, name: keyof SchedulerCallbacks) => (about: unknown) =>
        void (name === 'attempting' || told.push([name, about])),
    },
  );

/** Whether a promise has resolved, once everything that can happen without time has happened. */
export async function isOver(promise: Promise<unknown>, advance: () => Promise<void>): Promise<boolean> {
  let over = false;
  void promise.then(() => (over = true));
  await advance();
  return over;
}

/** A store whose calls fail while `failing` says so; counts them. */
export function shaky(failing: { claim?: boolean; settle?: boolean }) {
  const calls = { claim: 0, settle: 0 };
  const check = (operation: 'claim' | 'settle'): void => {
    calls[operation]++;
    if (failing[operation] === true) throw new Error('store down');
  };
  const through = (store: DeliveryStore): DeliveryStore => ({
    ...store,
    claim: async (request) => (check('claim'), store.claim(request)),
    settle: async (settlements) => (check('settle'), store.settle(settlements)),
  });
  return { calls, through };
}
