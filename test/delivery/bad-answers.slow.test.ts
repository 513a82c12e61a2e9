/** Bad answers of the host's parts: other deliveries go on, the host is told, nothing is lost, the process lives. */
import { describe, expect, test } from 'vitest';
import type { DeliveryStore, SchedulerCallbacks } from '../../src/delivery/index.js';
import { outcomeOf } from '../../src/delivery/outcome.js';
import { liveDelivery, NOW } from './arbitraries.js';
import { endpointOf, setStage, type Stage, type StageOptions } from './stage.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const explosive = (): object =>
  new Proxy(
    {},
    new Proxy(
      {},
      {
        get: () => () => {
          throw new Error('a trap');
        },
      },
    ),
  );
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const huge = 'x'.repeat(1_000_000);
const thrown = (error: unknown) => (): never => {
  throw error;
};
const rejected = (error: unknown): Promise<never> => Promise.resolve().then(thrown(error));

/** Every kind of bad answer, made again for every call. */
const ANSWERS: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  'a number': () => 204,
  'no number': () => NaN,
  'a bigint': () => 200n,
  'a symbol': () => Symbol('answer'),
  'a text': () => 'ok',
  'a huge text': () => huge,
  'an array': () => [],
  'an empty object': () => ({}),
  'an object without a prototype': () => Object.create(null) as unknown,
  'a function': () => () => undefined,
  'an invalid date': () => new Date(NaN),
  'an object that throws when it is read': () => explosive(),
  'a revoked proxy': () => revoked(),
  'a cycle': () => {
    const cycle: Record<string, unknown> = { ok: false };
    return Object.assign(cycle, { failure: cycle, url: cycle, headers: cycle, claims: cycle });
  },
  'a promise of undefined': () => Promise.resolve(undefined),
  'a promise of a promise of null': () => Promise.resolve(Promise.resolve(null)),
  'what throws an error': thrown(new Error('down')),
  'what throws undefined': thrown(undefined),
  'what throws what throws': () => thrown(explosive())(),
  'a rejection': () => Promise.reject(new Error('down')),
  'a rejection with nothing': () => rejected(undefined),
  'a rejection with what throws': () => rejected(explosive()),
  'a thenable that throws': () => ({ then: thrown(new Error('then')) }),
  'a thenable whose then cannot be read': () =>
    Object.defineProperty({}, 'then', { get: thrown(new Error('then')) }),
  'a thenable that resolves twice, to nothing': () => ({
    then: (resolve: (value: unknown) => void) => {
      resolve(undefined);
      resolve(null);
      throw new Error('and then');
    },
  }),
  'what never settles': () => new Promise(() => undefined),
  'a thenable that never settles': () => ({ then: () => undefined }),
};

/** Bad members of answers whose shape is right. */
const nearly = (whole: object, ...members: readonly string[]): Readonly<Record<string, () => unknown>> =>
  Object.fromEntries(
    members.flatMap((member) =>
      [
        'undefined',
        'null',
        'a bigint',
        'a symbol',
        'no number',
        'a huge text',
        'an array',
        'an invalid date',
        'a cycle',
      ]
        .map((kind): [string, () => unknown] => [
          `${member}: ${kind}`,
          () => ({ ...whole, [member]: ANSWERS[kind]!() }),
        ])
        .concat([
          [
            `${member}: a getter that throws`,
            () =>
              Object.defineProperty({ ...whole }, member, {
                enumerable: true,
                get: thrown(new Error('read')),
              }),
          ],
        ]),
    ),
  );

const FAILURE = {
  ok: false,
  failure: 'timeout',
  transient: true,
  detail: 'Late',
  status: 500,
  retry_after_seconds: 1,
};
const POLICY = { retry_max_attempts: 2, retry_backoff_base_seconds: 5 };
const TARGET = { url: 'https://bad', ...POLICY, failing_since: NOW };

interface Port {
  readonly name: string;
  readonly answers: Readonly<Record<string, () => unknown>>;
  /**
   * Puts the port under the test's hand: `bad` gives the answer for what is bad, and the good one once all is mended.
   */
  readonly options: (answer: <T>(isBad: boolean, good: () => T) => T) => StageOptions;
}

const through =
  (change: (store: DeliveryStore) => Partial<DeliveryStore>) =>
  (store: DeliveryStore): DeliveryStore => ({ ...store, ...change(store) });

const ports: readonly Port[] = [
  {
    name: 'a transport',
    answers: {
      ...ANSWERS,
      ...nearly({ ok: true, status: 204 }, 'ok', 'status'),
      ...nearly(FAILURE, 'failure', 'status', 'retry_after_seconds', 'transient', 'detail'),
      'a failure of a code that there is not': () => ({ ...FAILURE, failure: 'toString' }),
    },
    options: (answer) => ({
      transport: (inner) => ({
        ...inner,
        send: (request, signal) => answer(endpointOf(request) === 'bad', () => inner.send(request, signal)),
      }),
      retryAfterCapSeconds: 3_600,
    }),
  },
  {
    name: 'a look-up',
    answers: {
      ...ANSWERS,
      ...nearly(
        TARGET,
        'url',
        'retry_max_attempts',
        'retry_backoff_base_seconds',
        'rate_limit_per_second',
        'failing_since',
      ),
    },
    options: (answer) => ({
      endpoints: (id) => answer(id === 'bad', () => ({ ...TARGET, url: `https://${id}` })),
      pauseAfterDays: 1,
    }),
  },
  {
    name: 'a search for the signer',
    answers: ANSWERS,
    options: (answer) => ({
      signer: ({ endpoint_id }) => answer(endpoint_id === 'bad', () => ({ headers: () => ({}) })),
    }),
  },
  {
    name: 'a signer',
    answers: {
      ...ANSWERS,
      ...nearly({ 'Svc-Event-Id': 'evt_1' }, 'Svc-Signature'),
      'a Headers': () => new Headers({ 'Svc-Signature': 'v1=' }),
      'a Map': () => new Map([['Svc-Signature', 'v1=']]),
    },
    options: (answer) => ({
      signer: ({ endpoint_id }) => ({ headers: () => answer(endpoint_id === 'bad', () => ({})) }),
    }),
  },
  {
    name: 'a source of jitter',
    answers: { ...ANSWERS, 'more than all': () => 1, 'less than nothing': () => -1 },
    options: (answer) => ({
      random: () => answer(true, () => 0),
      jitter: 1,
      answer: ({ url }, earlier) => ({ outcome: url === 'https://bad' && earlier === 0 ? 500 : 204 }),
    }),
  },
  ...(
    [
      'claimed',
      'attempted',
      'delivered',
      'retrying',
      'released',
      'leaseLost',
      'storeFailed',
      'callbackFailed',
    ] as const
  ).map((callback: keyof SchedulerCallbacks): Port => ({
    name: `the callback ${callback}`,
    answers: ANSWERS,
    options: (answer) => ({ on: { [callback]: () => answer(true, () => undefined) } }),
  })),
  {
    name: 'a claim',
    answers: {
      ...ANSWERS,
      ...nearly({ claims: [], nextDueAt: null, damaged: [] }, 'claims', 'nextDueAt', 'damaged'),
      'damage that is not a list': () => ({
        claims: [],
        nextDueAt: null,
        damaged: [undefined, 5n, {}, explosive()],
      }),
      'a list of what are no claims': () => ({ claims: [undefined, 5n, {}, explosive()], nextDueAt: null }),
    },
    options: (answer) => ({
      pollMs: 5_000,
      through: through((store) => ({ claim: (request) => answer(true, () => store.claim(request)) })),
    }),
  },
  {
    name: 'a settlement',
    answers: {
      ...ANSWERS,
      'too few': () => [],
      numbers: () => [1, 1],
      'too many': () => [true, true, true, true],
    },
    options: (answer) => ({
      through: through((store) => ({
        settle: (batch) =>
          answer(
            batch.some(({ delivery }) => delivery.endpoint_id === 'bad'),
            () => store.settle(batch),
          ),
      })),
    }),
  },
];

const IDS = { bad: 'evt_1:bad', good: 'evt_2:good' };

/** Sends a delivery to each endpoint; what is bad is so for a while. */
async function play(port: Port, bad: () => unknown): Promise<{ stage: Stage; before: readonly string[] }> {
  let isMended = false;
  const answer = <T>(isBad: boolean, good: () => T): T => (isBad && !isMended ? (bad() as T) : good());
  const stage = setStage({ leaseMs: 15_000, policy: POLICY, ...port.options(answer) });
  stage.scheduler.start();
  await stage.enqueue(liveDelivery('evt_1', 'bad'), liveDelivery('evt_2', 'good'));
  await stage.clock.advance(60_000);
  const states = await Promise.all(Object.values(IDS).map((id) => stage.get(id)));
  isMended = true;
  await stage.clock.advance(DAY);
  return { stage, before: states.map((delivery) => delivery!.state) };
}

describe.for(ports)('$name', (port) => {
  test.for(Object.keys(port.answers))('may be %s', async (kind) => {
    const { stage, before } = await play(port, port.answers[kind]!);
    // A claim is one call for all, so nothing of it can go on; everything else can.
    if (port.name !== 'a claim') expect(before[1]).toBe('delivered');
    const good = (await stage.store.get(IDS.good))!;
    const bad = (await stage.store.get(IDS.bad))!;
    expect(good.delivery.state).toBe('delivered');
    expect(good.attempts).toHaveLength(1);
    expect(['delivered', 'failed']).toContain(bad.delivery.state);
    expect(bad.attempts.map(({ number }) => number)).toEqual(bad.attempts.map((_, i) => i + 1));
    for (const { outcome, ended_at } of bad.attempts) {
      expect(outcomeOf(JSON.parse(JSON.stringify(outcome)))).toEqual(outcome);
      expect(JSON.stringify(outcome).length).toBeLessThan(1_000);
      expect(Number.isSafeInteger(ended_at)).toBe(true);
    }
    expect(stage.told.length).toBeGreaterThan(0);
    await stage.scheduler.stop();
    expect(stage.clock.waiting).toBe(0);
    expect(stage.store.size()).toMatchObject({ unfinished: 0 });
  });
});

test.for([
  { name: 'a transport', told: ['attempted'] },
  { name: 'a look-up', told: ['attempted', 'released', 'leaseLost'] },
  { name: 'a search for the signer', told: ['attempted', 'released', 'leaseLost'] },
  { name: 'a signer', told: ['attempted', 'released', 'leaseLost'] },
  { name: 'a claim', told: ['storeFailed'] },
  { name: 'a settlement', told: ['storeFailed'] },
  { name: 'a source of jitter', told: ['callbackFailed'] },
])('of what $name answers the host is told', async ({ name, told }) => {
  const port = ports.find((one) => one.name === name)!;
  for (const [kind, bad] of Object.entries(ANSWERS)) {
    if (name === 'a transport' && kind.includes('never settles')) continue; // told as leaseLost
    const { stage } = await play(port, bad);
    const isOfTheBad = ([said, about]: readonly [string, unknown]): boolean =>
      told.includes(said) &&
      (!/attempted|released|leaseLost/.exec(said) || (about as { id: string }).id === IDS.bad);
    const ofTheBad = stage.told.filter(isOfTheBad);
    expect(ofTheBad.length, kind).toBeGreaterThan(0);
  }
});

describe('a detail', () => {
  test.for([
    { detail: 'x'.repeat(500), recorded: 'x'.repeat(500) },
    { detail: 'x'.repeat(501), recorded: `${'x'.repeat(499)}…` },
    { detail: '😀'.repeat(500), recorded: '😀'.repeat(500) },
    { detail: '😀'.repeat(501), recorded: `${'😀'.repeat(499)}…` },
    { detail: `x${'😀'.repeat(500)}`, recorded: `x${'😀'.repeat(498)}…` },
    { detail: huge, recorded: `${'x'.repeat(499)}…` },
  ])('has at most 500 code points in a record', async ({ detail, recorded }) => {
    const stage = setStage({
      answer: () => ({ outcome: { ok: false, failure: 'dns_failure', transient: true, detail } }),
    });
    stage.scheduler.start();
    await stage.enqueue(liveDelivery());
    await stage.clock.advance(0);
    const history = await stage.store.get('evt_1:endpoint-1');
    expect(history?.attempts[0]?.outcome).toMatchObject({ detail: recorded });
    expect(history?.delivery.last_attempt?.outcome).toMatchObject({ detail: recorded });
  });
});
