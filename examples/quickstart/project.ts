/** A project as its owner set it up in a dashboard: endpoints, rules, and the webhooks that come in. */
import { ruleTemplates, type Event, type Rule, type RuleDocument } from 'headgate';
import type { DeliveryTarget, FanOutEndpoint } from 'headgate/delivery';
import {
  discordPayload,
  fakeKey,
  gitHubPayloads,
  slackPayload,
  stripePayload,
  webhookEvent,
} from './payloads.js';

/** An endpoint and what its receiver does. */
export interface Endpoint extends FanOutEndpoint, DeliveryTarget {
  readonly name: string;
}

/** How each receiver answers its n-th request for an event. */
export const behaviors = {
  healthy: () => 204,
  'fails twice': (attempt: number) => (attempt <= 2 ? 503 : 200),
  'always fails': () => 500,
  paused: () => 204,
} as const satisfies Readonly<Record<string, (attempt: number) => number>>;

/** Name of a receiver, after what it does. */
export type ReceiverName = keyof typeof behaviors;

export const endpointIds = {
  healthy: '3f0b2c1e-5d7a-4c8e-9b1f-2a6d8e4c7f10',
  'fails twice': '7a1c9e42-08f5-4d3b-8e6a-c5b2f1d09e37',
  'always fails': 'b84d6f03-2e91-4a7c-9d58-1f0e7c3a6b25',
  paused: 'e25f8b7d-6c14-4f90-a3d1-94b0d7e8c662',
} as const satisfies Readonly<Record<ReceiverName, string>>;

/** The channel's signing secret. */
export const SECRET = 'whsec_quickstart';

/** Real policies start at 60 s; here a second, the least there is, so that the whole schedule can be watched. */
export const policy = { retry_max_attempts: 3, retry_backoff_base_seconds: 1 } as const;

export const endpoint = (name: ReceiverName, url: string): Endpoint => ({
  id: endpointIds[name],
  name,
  url,
  status: name === 'paused' ? 'paused' : 'active',
  ...policy,
});

const template = (key: string): RuleDocument => {
  const found = ruleTemplates.find((template) => template.key === key);
  if (found === undefined) throw new Error(`no template ${key}`);
  return found.rule;
};

/** All four actions and both kinds of group; the first four are templates as they come. */
export const rules: readonly Rule[] = [
  { id: 'r1', ...template('drop_code_hosting_bots') },
  { id: 'r2', ...template('drop_test_mode_payments') },
  { id: 'r3', ...template('redact_api_keys') },
  { id: 'r4', ...template('tag_mentions_of_everyone') },
  {
    id: 'r5',
    name: 'Large charges to two endpoints',
    stage: 'deliver',
    match: {
      all: [
        { path: 'data.source', op: 'eq', value: 'stripe' },
        { path: 'data.body.data.object.amount', op: 'gte', value: 100_000 },
      ],
    },
    action: { type: 'route_only', endpoint_ids: [endpointIds['fails twice'], endpointIds.paused] },
    priority: 200,
  },
  {
    id: 'r6',
    name: 'Hide buyers',
    stage: 'deliver',
    match: { path: 'data.body.data.object.billing_details.email', op: 'exists' },
    action: {
      type: 'transform',
      ops: [
        {
          op: 'redact',
          path: 'data.body.data.object.billing_details.email',
          regex: '^[^@]+',
          replace: '***',
        },
        { op: 'uppercase', path: 'data.body.data.object.currency' },
      ],
    },
    priority: 200,
  },
];

export const apiKey = fakeKey('sk_live_');

const chats = [
  'standup in five',
  'deploy failed, please look <!channel>',
  `rotate this one: ${apiKey}`,
  `<!here> who pasted ${apiKey}?`,
];

/**
 * The incoming bodies: GitHub's examples, 60 charges (every third in test mode, every fifth large), 60 chat messages.
 */
export function incomingBodies(): { readonly source: string; readonly body: object }[] {
  const gitHub = gitHubPayloads.map(({ body }) => ({ source: 'github', body }));
  const stripe = Array.from({ length: 60 }, (_, n) => ({
    source: 'stripe',
    body: stripePayload(n, n % 3 !== 0, n % 5 === 0 ? 250_000 : 1_999),
  }));
  const slack = Array.from({ length: 40 }, (_, n) => ({
    source: 'slack',
    body: slackPayload(n, chats[n % chats.length] as string),
  }));
  const discord = Array.from({ length: 20 }, (_, n) => ({
    source: 'discord',
    body: discordPayload(n, n % 4 === 0 ? '@everyone ship it' : 'shipped'),
  }));
  return [...gitHub, ...stripe, ...slack, ...discord];
}

/** The same as events. */
export const incomingEvents = (receivedAt: number): Event[] =>
  incomingBodies().map(({ source, body }, n) => webhookEvent(n, source, body, receivedAt));
