import { describe, expect, test } from 'vitest';
import {
  discordPayload,
  gitHubPayloads,
  slackPayload,
  stripePayload,
  webhookEvent,
} from '../../examples/quickstart/payloads.js';
import { compileRules, ruleTemplates, validateRuleDocument } from '../../src/index.js';

const template = (key: string) => {
  const found = ruleTemplates.find((template) => template.key === key);
  if (found === undefined) throw new Error(`no template ${key}`);
  const rules = compileRules([{ id: key, ...found.rule }]);
  return (body: unknown) => rules.evaluate(webhookEvent(1, 'test', body as object, 0));
};

test('there are four, and each is a valid rule', () => {
  expect(ruleTemplates.map(({ key }) => key)).toEqual([
    'drop_code_hosting_bots',
    'drop_test_mode_payments',
    'redact_api_keys',
    'tag_mentions_of_everyone',
  ]);
  for (const { rule } of ruleTemplates) expect(validateRuleDocument(rule)).toEqual({ ok: true, rule });
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
  ['Discord to nobody', discordPayload(1, 'ship it'), false],
])('tag_mentions_of_everyone on %s: %s', ([, body, urgent]) => {
  expect(template('tag_mentions_of_everyone')(body).tags).toEqual(urgent ? ['urgent'] : []);
});
