/** Topics of webhooks: what happened, as each provider names it. */
import { describe, expect, test } from 'vitest';
import type { HeaderPairs } from '../../src/http/headers.js';
import { channelPathProblem, describedBy, type SourceName } from '../../src/sources/index.js';

const topic = (
  name: SourceName,
  body: unknown,
  headers: HeaderPairs = [],
  topicPath: string | null = null,
): string | null => {
  const source = { name, settings: { secrets: [], header: null } };
  return describedBy({ source, topicPath, orderingPath: null }, headers, JSON.stringify({ body })).topic;
};

describe('the topic of a webhook', () => {
  test.each(['none', 'stripe', 'standard_webhooks', 'headgate', 'token'] as const)(
    'of %s is the type in the body',
    (name) => {
      expect(topic(name, { type: 'invoice.paid', event: { type: 'other' } })).toBe('invoice.paid');
      expect(topic(name, { kind: 'invoice.paid' })).toBeNull();
      expect(topic(name, 'type')).toBeNull();
    },
  );

  test('of GitHub is its event, and the action in the body', () => {
    const event: HeaderPairs = [['X-GitHub-Event', 'pull_request']];
    expect(topic('github', { action: 'opened' }, event)).toBe('pull_request.opened');
    expect(topic('github', { action: 7 }, event)).toBe('pull_request');
    expect(topic('github', { type: 'x', ref: 'main' }, [['x-github-event', 'push']])).toBe('push');
    expect(topic('github', { action: 'opened', type: 'x' })).toBeNull();
    expect(topic('github', {}, [...event, ...event])).toBeNull();
  });

  test('of Slack is the inner type, else the outer one', () => {
    expect(topic('slack', { type: 'event_callback', event: { type: 'message' } })).toBe('message');
    expect(topic('slack', { type: 'app_rate_limited', event: {} })).toBe('app_rate_limited');
  });

  test('is read from the path that the channel has set, whatever its source says', () => {
    const body = { type: 'x', meta: { 'event.name': 'order made', list: [{ type: 'first' }] } };
    expect(topic('stripe', body, [], 'data.body.meta.event\\.name')).toBe('order made');
    expect(topic('none', body, [], 'data.body.meta.list.0.type')).toBe('first');
    expect(topic('none', body, [], 'data.body.missing')).toBeNull();
  });

  test('can be stored: no NUL, and no half of a character', () => {
    expect(topic('none', { type: 'a\0b' })).toBeNull();
    expect(topic('none', { type: 'a\ud800b' })).toBeNull();
    expect(topic('none', { type: 'a\nb' })).toBe('a\nb');
  });

  test('has 1 to 128 code points', () => {
    expect(topic('none', { type: '' })).toBeNull();
    expect(topic('none', { type: '😀'.repeat(128) })).toBe('😀'.repeat(128));
    expect(topic('none', { type: '😀'.repeat(129) })).toBeNull();
    expect(topic('github', { action: 'a'.repeat(124) }, [['x-github-event', 'push']])).toBeNull();
  });
});

test.each([
  ['{"id":"o-1"}', 'o-1'],
  ['{"id":12345678901234567890}', '12345678901234567890'],
  ['{"id":1.50}', '1.50'],
  ['{"id":""}', null],
  ['{"id":null}', null],
  ['7', null],
  ['{"id":"a\\u0000"}', expect.stringMatching(/^hash:[\w-]{43}$/)],
  ['{"id":"\\udc00"}', expect.stringMatching(/^hash:[\w-]{43}$/)],
  [`{"id":"${'x'.repeat(257)}"}`, expect.stringMatching(/^hash:[\w-]{43}$/)],
])('the ordering key in %.40s is %s', (order, key) => {
  const source = { name: 'none', settings: { secrets: [], header: null } } as const;
  const channel = { source, topicPath: null, orderingPath: 'data.body.order.id' };
  expect(describedBy(channel, [], `{"body":{"order":${order}}}`).orderingKey).toEqual(key);
});

test.each([
  ['data.body.type', null],
  ['data.body.0.type', null],
  ['data', 'it is read from data: write a path such as data.body.event'],
  ['type', 'it is read from data: write a path such as data.body.event'],
  ['data..type', expect.stringContaining('an empty segment')],
  ['', expect.stringContaining('the path is empty')],
  ['data.items.*.type', expect.stringContaining('write an index')],
  ['data.items.\\*.type', null],
  ['data.a\\.*', null],
])('a channel that sets the path %j gets %s', (path, problem) => {
  expect(channelPathProblem(path)).toEqual(problem);
});
