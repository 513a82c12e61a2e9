/** Starter rules, to be edited before they are saved. */
import type { RuleDocument } from './rule.js';
import { redactApiKeys } from './templates/api-keys.js';

/** A starter rule and the name that a dashboard knows it by. */
export interface RuleTemplate {
  readonly key: string;
  readonly rule: RuleDocument;
}

/** GitHub marks apps as `Bot`; GitLab, Bitbucket and GitHub alike give their accounts telling names. */
const dropBots: RuleDocument = {
  name: 'Drop code-hosting bots',
  description: 'Events that an automated account caused on GitHub, GitLab or Bitbucket.',
  stage: 'deliver',
  match: {
    any: [
      { path: 'data.body.sender.type', op: 'eq', value: 'Bot' },
      { path: 'data.body.sender.login', op: 'ends_with', value: '[bot]' },
      { path: 'data.body.pusher.name', op: 'ends_with', value: '[bot]' },
      { path: 'data.body.user.username', op: 'matches', value: '^(?:project|group)_\\d+_bot' },
      { path: 'data.body.actor.type', op: 'eq', value: 'app_user' },
    ],
  },
  action: { type: 'drop' },
  priority: 100,
};

/** Stripe flags an event with `livemode`, Adyen a notification with `live` as text, Mollie an object with `mode`. */
const dropTestMode: RuleDocument = {
  name: 'Drop test-mode payments',
  description: 'Webhooks of a payment provider that are flagged as not live.',
  stage: 'deliver',
  match: {
    any: [
      { path: 'data.body.livemode', op: 'eq', value: false },
      { path: 'data.body.live', op: 'in', value: [false, 'false'] },
      { path: 'data.body.mode', op: 'eq', value: 'test' },
    ],
  },
  action: { type: 'drop' },
  priority: 100,
};

/** Slack writes `<!channel>`, Discord sets `mention_everyone`; each in its events and in its plain webhooks. */
const tagMentions: RuleDocument = {
  name: 'Tag mentions of everyone',
  description: 'Chat messages addressed to everyone on Slack or Discord.',
  stage: 'deliver',
  match: {
    any: [
      ...['data.body.event.text', 'data.body.text'].map((path) => ({
        path,
        op: 'matches' as const,
        value: '<!(?:channel|everyone|here)(?:\\|[^>]*)?>',
      })),
      ...['data.body.mention_everyone', 'data.body.d.mention_everyone'].map((path) => ({
        path,
        op: 'eq' as const,
        value: true,
      })),
    ],
  },
  action: { type: 'tag', tags: ['urgent'] },
  priority: 100,
};

/** The starter rules that a dashboard offers. @see docs/rules.md */
export const ruleTemplates: readonly RuleTemplate[] = [
  { key: 'drop_code_hosting_bots', rule: dropBots },
  { key: 'drop_test_mode_payments', rule: dropTestMode },
  { key: 'redact_api_keys', rule: redactApiKeys },
  { key: 'tag_mentions_of_everyone', rule: tagMentions },
];
