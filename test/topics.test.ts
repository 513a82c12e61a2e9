/** Topics and subscriptions: what `headgate/delivery` and the dry-run say of them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { topicEntries, fanOut, coversTopic } from '../src/delivery/index.js';
import { dryRun } from '../src/index.js';

const NOW = 1_700_000_000_000;
const parts = () => fc.array(fc.constantFrom('a', 'b', '', 'a.b', '*'), { minLength: 1, maxLength: 5 });
const topics = () => parts().map((all) => all.join('.'));
const entries = () =>
  fc.oneof(
    topics(),
    topics().map((prefix) => `${prefix}.*`),
  );

/**
 * The definition, in other words than those of the code: an entry covers what it spells, or what begins with its
 * prefix.
 */
const covers = (entry: string, topic: string): boolean =>
  entry === topic ||
  (entry.endsWith('.*') &&
    topic.length >= entry.length - 1 &&
    topic.slice(0, entry.length - 1) === entry.slice(0, -1));

describe('subscriptions', () => {
  test.each([
    ['invoice.paid', 'invoice.paid', true],
    ['invoice.*', 'invoice.paid', true],
    ['invoice.*', 'invoice.line.added', true],
    ['invoice.line.*', 'invoice.line.added', true],
    ['invoice.*', 'invoice', false],
    ['invoice.*', 'invoices.paid', false],
    ['invoice', 'invoice.paid', false],
    ['invoice.line.*', 'invoice.paid', false],
  ])('%s covers %s: %s', (entry, topic, isCovered) => {
    expect(coversTopic([entry], topic)).toBe(isCovered);
  });

  test('null is every topic, an empty list none', () => {
    fc.assert(
      fc.property(topics(), (topic) => {
        expect(coversTopic(null, topic)).toBe(true);
        expect(coversTopic([], topic)).toBe(false);
      }),
    );
  });

  test('a list covers what one of its entries covers', () => {
    fc.assert(
      fc.property(fc.array(entries(), { maxLength: 4 }), topics(), (list, topic) => {
        expect(coversTopic(list, topic)).toBe(list.some((entry) => covers(entry, topic)));
      }),
    );
  });

  test('topicEntries lists exactly the entries that cover a topic, each once', () => {
    fc.assert(
      fc.property(topics(), entries(), (topic, entry) => {
        const all = topicEntries(topic);
        expect(all.includes(entry)).toBe(coversTopic([entry], topic));
        expect(all.length - 1).toBe(topic.split('.').length - 1);
      }),
    );
  });
});

const endpoint = (id: string, list: readonly string[] | null) =>
  ({ id, status: 'active', topics: list }) as const;
const ENDPOINTS = [
  endpoint('all', null),
  endpoint('invoices', ['invoice.*']),
  endpoint('paid', ['user.made', 'invoice.paid']),
  endpoint('users', ['user.*']),
  { id: 'paused', status: 'paused', topics: ['invoice.paid'] } as const,
  { id: 'unsaid', status: 'active' } as const,
];

describe('fanOut', () => {
  const recipients = (event: object, endpointIds: readonly string[] | null = null) =>
    fanOut(
      { outcome: 'deliver', endpointIds, event: { id: 'evt_1', type: 'webhook.received', ...event } },
      ENDPOINTS,
      {
        at: NOW,
      },
    ).map(({ endpoint_id }) => endpoint_id);

  test('delivers to active endpoints that are subscribed', () => {
    expect(recipients({ topic: 'invoice.paid' })).toEqual(['all', 'invoices', 'paid', 'unsaid']);
    expect(recipients({ topic: 'user.made' })).toEqual(['all', 'paid', 'users', 'unsaid']);
    expect(recipients({ topic: 'other' })).toEqual(['all', 'unsaid']);
  });

  test('an event without a topic has its type for one', () => {
    expect(recipients({})).toEqual(['all', 'unsaid']);
    expect(recipients({ topic: null })).toEqual(['all', 'unsaid']);
    expect(recipients({ type: 'user.made' })).toEqual(['all', 'paid', 'users', 'unsaid']);
  });

  test('a route and a subscription must both name the endpoint', () => {
    expect(recipients({ topic: 'invoice.paid' }, ['users', 'paid', 'paused'])).toEqual(['paid']);
  });

  test('topics that are not a list are refused', () => {
    const wrong = { id: 'a', status: 'active', topics: 'invoice.*' } as unknown as (typeof ENDPOINTS)[number];
    expect(() =>
      fanOut({ outcome: 'deliver', endpointIds: null, event: { id: 'e', type: 't' } }, [wrong], { at: NOW }),
    ).toThrow('the topics of endpoint a are a string: give a list of topics, or null for all');
  });
});

describe('a dry-run', () => {
  test('names the endpoints of a route that are subscribed', async () => {
    const ids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
    const rule = {
      stage: 'deliver',
      match: { path: 'topic', op: 'starts_with', value: 'invoice.' },
      action: { type: 'route_only', endpoint_ids: ids },
    } as const;
    const event = {
      id: 'evt_1',
      type: 't',
      topic: 'invoice.paid',
      data: {},
      received_at: new Date(NOW).toISOString(),
    };
    const endpoints = [endpoint(ids[0], ['invoice.paid']), endpoint(ids[1], ['user.*'])];
    const { samples } = await dryRun(rule, [event], { windowHours: 1, now: NOW, endpoints });
    expect(samples.map(({ endpoint_ids }) => endpoint_ids)).toEqual([[ids[0]]]);
    const wrong = [{ ...endpoints[0], topics: 7 }] as unknown as typeof endpoints;
    await expect(dryRun(rule, [event], { windowHours: 1, now: NOW, endpoints: wrong })).rejects.toThrow(
      'endpoints/0/topics must be an array or null; it is 7',
    );
  });
});
