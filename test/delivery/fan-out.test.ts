/** Fan-out of decisions to deliveries. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createDispatch,
  deliveryId,
  fanOut,
  type FanOutEndpoint,
  type FanOutOptions,
  OptionError,
  redelivery,
  type FanOutDecision,
} from '../../src/delivery/index.js';
import { liveDelivery, NOW } from './arbitraries.js';

const event = { id: 'evt_1', type: 'webhook.received' };
const decide = (
  endpointIds: readonly string[] | null,
  outcome: 'deliver' | 'drop' = 'deliver',
): FanOutDecision => ({
  outcome,
  event,
  endpointIds,
});

const ids = (): fc.Arbitrary<string> => fc.constantFrom('a', 'b', 'c', 'd', 'e');
const endpointSets = (): fc.Arbitrary<readonly FanOutEndpoint[]> =>
  fc.uniqueArray(fc.record({ id: ids(), status: fc.constantFrom('active' as const, 'paused' as const) }), {
    selector: ({ id }) => id,
  });
const routes = (): fc.Arbitrary<readonly string[] | null> =>
  fc.option(fc.array(fc.oneof(ids(), fc.constant('unknown'))));
const targets = (decision: FanOutDecision, endpoints: readonly FanOutEndpoint[]) =>
  fanOut(decision, endpoints, { at: NOW }).map((delivery) => delivery.endpoint_id);

describe('fanOut', () => {
  test('gives to exactly the active endpoints that are routed to, or to all of them', () => {
    fc.assert(
      fc.property(endpointSets(), routes(), (endpoints, route) => {
        const active = endpoints.filter(({ status }) => status === 'active').map(({ id }) => id);
        const expected = route === null ? active : active.filter((id) => route.includes(id));
        expect(targets(decide(route), endpoints)).toEqual(expected);
      }),
    );
  });

  test('compares UUIDs without regard to case, other ids as they are, and keeps how endpoints spell theirs', () => {
    const cased = (id: string): fc.Arbitrary<string> =>
      fc
        .array(fc.boolean(), { minLength: id.length, maxLength: id.length })
        .map((upper) =>
          Array.from(id, (letter, i) => (upper[i] === true ? letter.toUpperCase() : letter)).join(''),
        );
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), fc.constantFrom(cased, fc.constant), (one, other, spell) => {
        const [[listed], [routed]] = [fc.sample(spell(one), 1), fc.sample(cased(one), 1)] as [
          [string],
          [string],
        ];
        const endpoints = [
          active(listed),
          active(other),
          active(one.toUpperCase()),
          paused('a'),
          active('A'),
        ];
        expect(targets(decide([routed, 'a']), endpoints)).toEqual([listed]);
        expect(targets(decide(null), endpoints)).toEqual([...new Set([listed, other]), 'A']);
      }),
    );
  });

  test('gives nothing to anybody on a drop', () => {
    fc.assert(
      fc.property(endpointSets(), routes(), (endpoints, route) => {
        expect(targets(decide(route, 'drop'), endpoints)).toEqual([]);
      }),
    );
  });

  test('makes the same deliveries whenever it is asked', () => {
    fc.assert(
      fc.property(endpointSets(), routes(), (endpoints, route) => {
        const first = fanOut(decide(route), endpoints, { at: NOW });
        expect(fanOut(decide(route), endpoints, { at: NOW })).toEqual(first);
        expect(new Set(first.map(({ id }) => id)).size).toBe(first.length);
      }),
    );
  });

  const active = (id: string): FanOutEndpoint => ({ id, status: 'active' });
  const paused = (id: string): FanOutEndpoint => ({ id, status: 'paused' });
  test.for<[string, readonly string[] | null, readonly FanOutEndpoint[], readonly string[]]>([
    ['no route rule: every active endpoint', null, [active('a'), paused('b'), active('c')], ['a', 'c']],
    ['an empty route is not default fan-out', [], [active('a')], []],
    ['a route to a paused endpoint gives nothing', ['b'], [active('a'), paused('b')], []],
    ['a route to an unknown endpoint gives nothing', ['x'], [active('a')], []],
    ['a route that repeats an id gives one', ['a', 'a'], [active('a')], ['a']],
    ['an endpoint that is listed twice gets one', null, [active('a'), active('a')], ['a']],
    ['no endpoints, no deliveries', null, [], []],
    ['prototype names are ids like others', ['__proto__'], [active('__proto__'), active('a')], ['__proto__']],
  ])('%s', ([, route, endpoints, expected]) => {
    expect(targets(decide(route), endpoints)).toEqual(expected);
  });

  test('a live delivery is pending, due at once, and named after event and endpoint', () => {
    expect(fanOut(decide(null), [active('a')], { at: NOW })).toEqual([
      {
        id: 'evt_1:a',
        event_id: 'evt_1',
        event_type: 'webhook.received',
        endpoint_id: 'a',
        origin: 'live',
        replay_of: null,
        state: 'pending',
        attempts: 0,
        due_at: NOW,
        lease: null,
        last_attempt: null,
        created_at: NOW,
        finished_at: null,
      },
    ]);
  });

  test('a replay has an id of its own', () => {
    const [replay] = fanOut(decide(null), [active('a')], { at: NOW, replay: 'click' });
    expect(replay).toMatchObject({ id: 'evt_1:a:click', origin: 'replay', replay_of: null });
  });
});

describe('what cannot be meant is refused at once, with what to give', () => {
  const active = [{ id: 'a', status: 'active' }];
  const dispatch = (decision: unknown, endpoints: unknown, options: unknown) => () =>
    createDispatch(decision as FanOutDecision, endpoints as FanOutEndpoint[], options as { at: number });

  test.for<[what: string, says: string, decision: unknown, endpoints: unknown, options: unknown]>([
    ['no options', '{ at|at, replay', decide(null), active, undefined],
    ['no at', 'Date.now()', decide(null), active, {}],
    ['no at, though nobody gets it', 'Date.now()', decide(null, 'drop'), [], {}],
    ['an at that is a text', 'Date.now()', decide(null), active, { at: '2023-11-14' }],
    ['an at that is a Date', 'Date.now()', decide(null), active, { at: new Date(NOW) }],
    ['an at that is no number', 'Date.now()', decide(null), active, { at: NaN }],
    ['an at with a fraction, which no table holds', 'Date.now()', decide(null), active, { at: NOW + 0.5 }],
    ['an at that is a bigint', 'Date.now()', decide(null), active, { at: 5n }],
    ['an unknown option', 'at, replay', decide(null), active, { at: NOW, replays: 'x' }],
    ['a replay that is no text', 'replay', decide(null), active, { at: NOW, replay: 7 }],
    ['another status', 'a is "enabled": give', decide(null), [{ id: 'a', status: 'enabled' }], { at: NOW }],
    [
      'a long status',
      `"${'x'.repeat(40)}"`,
      decide(null),
      [{ id: 'a', status: 'x'.repeat(41) }],
      { at: NOW },
    ],
    [
      'topics that are no list',
      'the topics of endpoint a are a string',
      decide(null),
      [{ id: 'a', status: 'active', topics: 'orders' }],
      { at: NOW },
    ],
    [
      'a status in capitals',
      "'active' or 'paused'",
      decide(['b']),
      [{ id: 'a', status: 'Active' }],
      { at: NOW },
    ],
    ['no status', "'active' or 'paused'", decide(null), [{ id: 'a' }], { at: NOW }],
    ['no endpoint in the list', 'text', decide(null), [undefined], { at: NOW }],
    ['an id that is no text', 'text', decide(null), [{ id: 5, status: 'active' }], { at: NOW }],
    ['a promise of endpoints', 'await', decide(null), Promise.resolve(active), { at: NOW }],
    ['no endpoints', 'endpoints is undefined: give a list', decide(null), undefined, { at: NOW }],
    ['null for endpoints', 'endpoints is null', decide(null), null, { at: NOW }],
    ['a promise of a decision', 'await', Promise.resolve(decide(null)), active, { at: NOW }],
    ['no decision', 'evaluate', undefined, active, { at: NOW }],
    ['an outcome that there is not', 'evaluate', { ...decide(null), outcome: 'send' }, active, { at: NOW }],
    [
      'no routes, which is not an empty one',
      'decision.endpointIds is undefined: give',
      { outcome: 'deliver', event },
      active,
      { at: NOW },
    ],
    ['an event without an id', 'id', { ...decide(null), event: { type: 'x' } }, active, { at: NOW }],
  ])('%s', ([, says, decision, endpoints, options]) => {
    const refused = dispatch(decision, endpoints, options);
    expect(refused).toThrow(expect.objectContaining({ constructor: OptionError, code: 'invalid_option' }));
    expect(refused).toThrow(new RegExp(says.replace(/[{()]/g, '\\$&')));
  });
});

describe.for(Object.entries({ fanOut, createDispatch }))('%s', ([name, take]) => {
  test.for<[options: unknown, says: string]>([
    [undefined, `${name} takes one object of options (at, replay, columns, orderingKey), not undefined`],
    [{ at: 1, replai: 'x' }, `${name} has no option replai: give some of at, replay`],
  ])('names itself where its options are %o', ([options, says]) => {
    expect(() => take(decide(null), [], options as { at: number })).toThrow(says);
  });
});

describe('deliveryId', () => {
  test('is made of its parts', () => {
    expect(deliveryId('evt_1', 'a~b:c')).toBe('evt_1:a~0b~1c');
    expect(deliveryId('evt_1', 'a', 'r:1')).toBe('evt_1:a:r~11');
  });

  const text = () => fc.oneof(fc.string({ unit: fc.constantFrom('~', ':', '0', '1', 'a') }), fc.string());
  const parts = () =>
    fc.oneof(fc.tuple(text(), text()), fc.tuple(text(), text(), text())) as fc.Arbitrary<
      [string, string, string?]
    >;

  test('differs wherever event, endpoint or replay differ', () => {
    fc.assert(
      fc.property(parts(), parts(), (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        expect(deliveryId(...one) === deliveryId(...other)).toBe(same);
      }),
      {
        numRuns: 2_000,
        examples: [
          [
            ['a:b', 'c'],
            ['a', 'b:c'],
          ],
          [
            ['a', 'b', ''],
            ['a', 'b'],
          ],
        ],
      },
    );
  });
});

test('redelivery repeats event and endpoint, and names what it repeats', () => {
  const failed = { ...liveDelivery('evt_9', 'a'), state: 'failed' as const, attempts: 5, due_at: null };
  expect(redelivery(failed, { at: NOW + 5, replay: 'click' })).toEqual({
    ...liveDelivery('evt_9', 'a', NOW + 5),
    id: 'evt_9:a:click',
    origin: 'replay',
    replay_of: 'evt_9:a',
  });
});

describe('createDispatch', () => {
  const decoded = (body: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(body));

  test('carries the projected event without the raw envelope', () => {
    const projected = { ...event, data: { key: '***' }, raw_payload: { key: 'sk_live' }, tags: ['urgent'] };
    const decision = { ...decide(null), event: projected };
    const { body, deliveries } = createDispatch(decision, [{ id: 'a', status: 'active' }], { at: NOW });
    expect(deliveries).toHaveLength(1);
    expect(decoded(body)).toEqual({ ...event, data: { key: '***' }, tags: ['urgent'] });
  });

  test('makes no body where nobody gets it', () => {
    expect(createDispatch(decide(null, 'drop'), [], { at: NOW })).toEqual({
      body: new Uint8Array(),
      deliveries: [],
    });
  });
});

describe('an ordering key', () => {
  const decision = { outcome: 'deliver', event: { id: 'evt_1', type: 'x' }, endpointIds: null } as const;
  const endpoints = ['a', 'b'].map((id) => ({ id, status: 'active' as const }));
  const keysOf = (orderingKey?: FanOutOptions['orderingKey']): readonly unknown[] =>
    fanOut(decision, endpoints, { at: 1, ...(orderingKey !== undefined && { orderingKey }) }).map(
      (one) => one.ordering_key,
    );

  test('is that of each delivery, or what a function says for its endpoint', () => {
    expect(keysOf('k')).toEqual(['k', 'k']);
    expect(keysOf((id) => (id === 'a' ? 'of a' : null))).toEqual(['of a', undefined]);
    expect(keysOf(null)).toEqual([undefined, undefined]);
    expect(keysOf()).toEqual([undefined, undefined]);
  });

  test('has 1 to 256 characters', () => {
    for (const wrong of ['', 'x'.repeat(257), 7, {}]) {
      const refusal = expect.objectContaining({
        constructor: OptionError,
        code: 'invalid_option',
        message: expect.stringContaining('orderingKey') as string,
      }) as Error;
      expect(() => keysOf(wrong as string)).toThrow(refusal);
      expect(() => keysOf(() => wrong as string)).toThrow(refusal);
    }
    expect(keysOf('x'.repeat(256))).toHaveLength(2);
  });

  test('stays with a redelivery', () => {
    const [one] = fanOut(decision, endpoints, { at: 1, orderingKey: 'k' });
    expect(redelivery(one!, { at: 2, replay: 'click' })).toMatchObject({
      ordering_key: 'k',
      origin: 'replay',
    });
  });
});
