/** Webhooks as they arrive: GitHub's own examples, and bodies in the shapes that Stripe, Slack and Discord send. */
import { createRequire } from 'node:module';
import type { Event } from 'headgate';

/** A key in the shape of a real one, put together here so that no scanner takes it for a leaked one. */
export const fakeKey = (prefix: string): string => prefix + 'a1B2c3D4'.repeat(4);

interface GitHubExamples {
  readonly name: string;
  readonly examples: readonly object[];
}

// The package is a JSON file, which Node 20 imports only with a warning.
const published = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly GitHubExamples[];

/** Every example payload that GitHub publishes for its webhooks, with the name of its event. */
export const gitHubPayloads = published.flatMap(({ name, examples }) =>
  examples.map((body) => ({ event: name, body })),
);

/** @see https://docs.stripe.com/api/events/object */
export const stripePayload = (n: number, livemode: boolean, amount: number) => ({
  id: `evt_${String(n).padStart(24, '0')}`,
  object: 'event',
  api_version: '2025-09-30.clover',
  created: 1_767_225_600 + n,
  type: 'charge.succeeded',
  livemode,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  data: {
    object: {
      id: `ch_${String(n).padStart(24, '0')}`,
      object: 'charge',
      amount,
      currency: 'eur',
      paid: true,
      status: 'succeeded',
      livemode,
      billing_details: { email: `buyer${n}@example.com`, name: null },
    },
  },
});

/** @see https://docs.slack.dev/reference/events/message */
export const slackPayload = (n: number, text: string) => ({
  token: 'verification-token',
  team_id: 'T0000000001',
  api_app_id: 'A0000000001',
  type: 'event_callback',
  event_id: `Ev${String(n).padStart(10, '0')}`,
  event_time: 1_767_225_600 + n,
  event: {
    type: 'message',
    channel: 'C0000000001',
    channel_type: 'channel',
    user: 'U0000000001',
    text,
    ts: `${1_767_225_600 + n}.000100`,
  },
});

/** @see https://docs.discord.com/developers/resources/message */
export const discordPayload = (n: number, content: string) => ({
  id: String(1_300_000_000_000_000_000n + BigInt(n)),
  channel_id: '1300000000000000000',
  author: { id: '1300000000000000001', username: 'ada', bot: false },
  content,
  timestamp: new Date(1_767_225_600_000 + n * 1_000).toISOString(),
  mention_everyone: content.includes('@everyone') || content.includes('@here'),
  mentions: [],
  attachments: [],
  type: 0,
});

/** A body as the event that a host persists for it. */
export const webhookEvent = (n: number, source: string, body: object, receivedAt: number): Event => ({
  id: `evt_${String(n).padStart(6, '0')}`,
  type: 'webhook.received',
  channel: { type: 'webhook' },
  received_at: new Date(receivedAt).toISOString(),
  data: { source, body },
  raw_payload: { body: JSON.stringify(body) },
});
