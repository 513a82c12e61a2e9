/** The templates: what each matches, and what it leaves alone. */
import { describe, expect, test } from 'vitest';
import {
  discordPayload,
  gitHubPayloads,
  slackPayload,
  stripePayload,
  webhookEvent,
} from '../../../examples/quickstart/payloads.js';
import { compileRules, lintRules, ruleTemplates, validateRuleDocument } from '../../../src/index.js';

const template = (key: string) => {
  const found = ruleTemplates.find((template) => template.key === key);
  if (found === undefined) throw new Error(`no template ${key}`);
  const rules = compileRules([{ id: key, ...found.rule }]);
  return (body: unknown) => rules.evaluate(webhookEvent(1, 'test', body as object, 0));
};

test('there are four, and each is a valid rule that lints clean, alone and beside the others', () => {
  expect(ruleTemplates.map(({ key }) => key)).toEqual([
    'drop_code_hosting_bots',
    'drop_test_mode_payments',
    'redact_api_keys',
    'tag_mentions_of_everyone',
  ]);
  for (const { rule } of ruleTemplates) expect(validateRuleDocument(rule)).toEqual({ ok: true, rule });
  expect(lintRules(ruleTemplates.map(({ key, rule }) => ({ id: key, ...rule })))).toEqual([]);
});

describe('drop_code_hosting_bots', () => {
  const evaluate = template('drop_code_hosting_bots');

  test('drops just those of GitHub’s example payloads that a bot caused', () => {
    const sender = (body: object) => (body as { sender?: { login: string; type: string } }).sender;
    const dropped = gitHubPayloads.filter(({ body }) => evaluate(body).outcome === 'drop');
    const byBots = gitHubPayloads.filter(
      ({ body }) => sender(body)?.type === 'Bot' || sender(body)?.login.endsWith('[bot]'),
    );
    expect(dropped).toEqual(byBots);
    expect(byBots.length).toBeGreaterThan(1);
    expect(gitHubPayloads.length).toBeGreaterThan(300);
  });

  test.for<[string, object, boolean]>([
    ['a push by an app', { pusher: { name: 'renovate[bot]' } }, true],
    [
      'a GitLab project bot',
      { object_kind: 'merge_request', user: { username: 'project_123_bot_4f' } },
      true,
    ],
    ['a GitLab person', { object_kind: 'merge_request', user: { username: 'robot_lover' } }, false],
    [
      'a push by a GitLab project bot',
      {
        object_kind: 'push',
        event_name: 'push',
        user_name: 'renovate',
        user_username: 'project_7_bot_a0b1c2',
      },
      true,
    ],
    ['a tag by a GitLab group bot', { object_kind: 'tag_push', user_username: 'group_99_bot' }, true],
    [
      'a GitLab service account of a group',
      {
        object_kind: 'note',
        user: { name: 'Service account user', username: 'service_account_group_345_0d71a2' },
      },
      true,
    ],
    ['one of the instance', { object_kind: 'push', user_username: 'service_account_33' }, true],
    ['a push by a GitLab person', { object_kind: 'push', user_username: 'ada' }, false],
    ['a person about a bot', { object_kind: 'push', user_username: 'my_project_7_bot_fan' }, false],
    [
      'an account that is of service',
      { object_kind: 'push', user_username: 'customer_service_account' },
      false,
    ],
    ['Gitea’s own actions', { ref: 'refs/heads/main', sender: { login: 'gitea-actions' } }, true],
    ['a Gitea person', { ref: 'refs/heads/main', sender: { login: 'ada' }, pusher: { login: 'ada' } }, false],
    [
      'a service user of Bitbucket Data Center',
      { eventKey: 'repo:refs_changed', actor: { name: 'ci', type: 'SERVICE' } },
      true,
    ],
    ['one of its people', { eventKey: 'repo:refs_changed', actor: { name: 'ada', type: 'NORMAL' } }, false],
    ['a service elsewhere', { actor: { type: 'SERVICE' } }, false],
    ['a Bitbucket app', { actor: { type: 'app_user', display_name: 'Pipelines' } }, true],
    ['a Bitbucket person', { actor: { type: 'user', display_name: 'Ada' } }, false],
  ])('%s: %s', ([, body, drops]) => {
    expect(evaluate(body).outcome).toBe(drops ? 'drop' : 'deliver');
  });
});

test.for<[string, object, boolean]>([
  ['Stripe in test mode', stripePayload(1, false, 100), true],
  ['Stripe live', stripePayload(1, true, 100), false],
  ['Adyen in test mode', { live: 'false', notificationItems: [] }, true],
  ['Adyen live', { live: 'true', notificationItems: [] }, false],
  ['Mollie in test mode', { resource: 'payment', mode: 'test' }, true],
  ['Mollie live', { resource: 'payment', mode: 'live' }, false],
  ['what says nothing about it', { amount: 5 }, false],
  ['Stripe’s second API in test mode', { id: 'evt_test_1', object: 'v2.core.event', livemode: false }, true],
  ['PayMongo in test mode', { data: { id: 'evt_1', type: 'event', attributes: { livemode: false } } }, true],
  ['PayMongo live', { data: { id: 'evt_1', type: 'event', attributes: { livemode: true } } }, false],
  [
    'Adyen’s platforms in test',
    { type: 'balancePlatform.transfer.created', environment: 'test', data: {} },
    true,
  ],
  [
    'Adyen’s platforms, by data',
    { type: 'paymentMethod.created', environment: 'test', data: { balancePlatform: 'B' } },
    true,
  ],
  [
    'Adyen’s platforms live',
    { type: 'balancePlatform.transfer.created', environment: 'live', data: {} },
    false,
  ],
  [
    'a Mollie event in test mode',
    {
      resource: 'event',
      type: 'payment-link.paid',
      _embedded: { entity: { resource: 'payment-link', mode: 'test' } },
    },
    true,
  ],
  [
    'Lemon Squeezy in test mode',
    { meta: { event_name: 'order_created', test_mode: true }, data: { type: 'orders' } },
    true,
  ],
  [
    'Lemon Squeezy, by its order',
    { meta: { event_name: 'order_created' }, data: { type: 'orders', attributes: { test_mode: true } } },
    true,
  ],
  ['Lemon Squeezy live', { meta: { event_name: 'order_created', test_mode: false }, data: {} }, false],
  [
    'a test order of Shopify',
    { id: 1, admin_graphql_api_id: 'gid://shopify/Order/1', test: true, financial_status: 'paid' },
    true,
  ],
  ['an order of Shopify', { id: 1, admin_graphql_api_id: 'gid://shopify/Order/1', test: false }, false],
  ['Paystack in test mode', { event: 'charge.success', data: { domain: 'test', reference: 'r' } }, true],
  ['Paystack live', { event: 'charge.success', data: { domain: 'live', reference: 'r' } }, false],
  [
    'PayPal’s sandbox',
    {
      id: 'WH-1',
      event_type: 'PAYMENT.CAPTURE.COMPLETED',
      links: [{ href: 'https://api.sandbox.paypal.com/v1/notifications/webhooks-events/WH-1', rel: 'self' }],
    },
    true,
  ],
  [
    'PayPal live',
    {
      id: 'WH-1',
      event_type: 'PAYMENT.CAPTURE.COMPLETED',
      links: [{ href: 'https://api.paypal.com/v1/notifications/webhooks-events/WH-1', rel: 'self' }],
    },
    false,
  ],
  [
    'Checkout.com’s sandbox',
    {
      type: 'payment_captured',
      _links: { self: { href: 'https://api.sandbox.checkout.com/workflows/events/evt_1' } },
    },
    true,
  ],
  ['Gumroad’s test ping', { seller_id: 's', sale_id: 'x', price: '500', test: 'true' }, true],
  [
    'RevenueCat’s sandbox',
    { api_version: '1.0', event: { type: 'RENEWAL', environment: 'SANDBOX', app_user_id: 'u' } },
    true,
  ],
  ['a stream that went offline', { live: false, stream: 'keynote' }, false],
  ['a stream that says so in text', { live: 'false', channel: 'ada' }, false],
  ['a run of CI', { mode: 'test', status: 'passed', resource: 'pipeline' }, false],
  ['a deployment', { environment: 'test', type: 'deployment', data: { ref: 'main' } }, false],
  ['a machine in test mode', { event: 'machine.started', test: true, data: { domain: 'test' } }, false],
  ['somebody else’s livemode', { livemode: false, camera: 'front' }, false],
])('drop_test_mode_payments on %s: %s', ([, body, drops]) => {
  expect(template('drop_test_mode_payments')(body).outcome).toBe(drops ? 'drop' : 'deliver');
});

test.for<[string, object, boolean]>([
  ['Slack to the channel', slackPayload(1, 'deploy failed <!channel>'), true],
  ['Slack to everyone, with a label', slackPayload(1, '<!everyone|everyone> look'), true],
  ['Slack to those here', slackPayload(1, '<!here> hello'), true],
  ['Slack to a group', slackPayload(1, '<!subteam^S123> hello'), false],
  ['Slack, the words alone', slackPayload(1, 'hello everyone @channel'), false],
  ['Discord to everyone', discordPayload(1, '@everyone ship it'), true],
  [
    'Slack, an edited message',
    {
      type: 'event_callback',
      event: { type: 'message', subtype: 'message_changed', message: { text: 'now <!channel>' } },
    },
    true,
  ],
  [
    'Slack, one that was edited to nobody',
    {
      type: 'event_callback',
      event: {
        subtype: 'message_changed',
        message: { text: 'no' },
        previous_message: { text: '<!channel>' },
      },
    },
    false,
  ],
  [
    'Slack, rich text alone',
    {
      event: {
        type: 'message',
        text: '',
        blocks: [
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'broadcast', range: 'here' },
                  { type: 'text', text: ' hi' },
                ],
              },
            ],
          },
        ],
      },
    },
    true,
  ],
  [
    'Slack, a section alone',
    {
      event: {
        type: 'message',
        text: '',
        blocks: [{ type: 'divider' }, { type: 'section', text: { type: 'mrkdwn', text: '<!everyone> hi' } }],
      },
    },
    true,
  ],
  [
    'Slack, a block far down',
    {
      event: {
        type: 'message',
        blocks: [
          ...Array.from({ length: 30 }, () => ({ type: 'divider' })),
          { type: 'section', text: { type: 'mrkdwn', text: '<!here> hi' } },
        ],
      },
    },
    true,
  ],
  [
    'Slack, blocks to a person',
    {
      event: {
        type: 'message',
        text: '',
        blocks: [
          {
            type: 'rich_text',
            elements: [{ type: 'rich_text_section', elements: [{ type: 'user', user_id: 'U1' }] }],
          },
        ],
      },
    },
    false,
  ],
  [
    'Slack, blocks about the broadcast',
    {
      event: {
        blocks: [
          {
            type: 'rich_text',
            elements: [
              { type: 'rich_text_section', elements: [{ type: 'text', text: 'broadcast channel' }] },
            ],
          },
        ],
      },
    },
    false,
  ],
  ['Slack, an attachment', { event: { text: '', attachments: [{ pretext: '<!here> build failed' }] } }, true],
  ['Discord’s gateway', { op: 0, t: 'MESSAGE_CREATE', d: { mention_everyone: true } }, true],
  [
    'Teams to a channel',
    {
      type: 'message',
      channelId: 'msteams',
      text: '<at>General</at> look',
      entities: [
        { type: 'clientInfo' },
        { type: 'mention', mentioned: { id: '19:0a@thread.tacv2', name: 'General' } },
      ],
    },
    true,
  ],
  [
    'Teams to everyone in a chat',
    { type: 'message', channelId: 'msteams', text: '<at>Everyone</at> look' },
    true,
  ],
  [
    'Teams to a bot',
    {
      type: 'message',
      channelId: 'msteams',
      text: '<at>Bot</at> look',
      entities: [{ type: 'mention', mentioned: { id: '28:0a', name: 'Bot' } }],
    },
    false,
  ],
  [
    'Teams by Graph, to a channel',
    {
      body: { content: '<at id="0">General</at>' },
      mentions: [
        { id: 0, mentioned: { conversation: { id: '19:0a', conversationIdentityType: 'channel' } } },
      ],
    },
    true,
  ],
  [
    'Teams by Graph, to a person',
    { body: { content: '<at id="0">Ada</at>' }, mentions: [{ id: 0, mentioned: { user: { id: 'u' } } }] },
    false,
  ],
  [
    'Mattermost to all',
    { channel_name: 'town-square', post_id: 'p', user_name: 'ada', text: 'deploy @all, please' },
    true,
  ],
  ['Mattermost to the channel', { channel_name: 'town-square', post_id: 'p', text: '@Channel' }, true],
  [
    'Mattermost to a person',
    { channel_name: 'town-square', post_id: 'p', text: '@allan and ada@all.example' },
    false,
  ],
  [
    'Mattermost about all hands',
    { channel_name: 'town-square', post_id: 'p', text: 'see @all-hands' },
    false,
  ],
  ['Rocket.Chat to those here', { channel_name: 'general', message_id: 'm', text: 'hey @here' }, true],
  [
    'Google Chat to all',
    {
      type: 'MESSAGE',
      message: {
        text: '@all hi',
        annotations: [{ type: 'USER_MENTION', userMention: { user: { name: 'users/all' } } }],
      },
    },
    true,
  ],
  ['an e-mail with the word', { subject: 'hello', text: 'write to @all of us' }, false],
  ['Discord to nobody', discordPayload(1, 'ship it'), false],
])('tag_mentions_of_everyone on %s: %s', ([, body, urgent]) => {
  expect(template('tag_mentions_of_everyone')(body).tags).toEqual(urgent ? ['urgent'] : []);
});
