/**
 * Payloads that providers publish: GitHub's examples of its webhooks, and Stripe's objects in the event that Stripe
 * publishes.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Event } from '../../../src/index.js';

/** A published payload: its provider, the name of the event, and which of the examples of that name. */
export type Payload = readonly [provider: 'GitHub' | 'Stripe', name: string, nth: number];

interface GitHubEvent {
  readonly name: string;
  readonly examples: readonly object[];
}

const gitHub = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly GitHubEvent[];

interface Stripe {
  readonly resources: Readonly<Record<string, object>>;
}

const stripe = JSON.parse(readFileSync(new URL('stripe.json', import.meta.url), 'utf8')) as Stripe;

/** The object that an event of each type is about. */
const OBJECTS: Readonly<Record<string, string>> = {
  'charge.succeeded': 'charge',
  'charge.dispute.created': 'dispute',
  'payment_intent.succeeded': 'payment_intent',
  'radar.early_fraud_warning.created': 'radar.early_fraud_warning',
};

/** The body of the webhook. */
function bodyOf([provider, name, nth]: Payload): object {
  const body =
    provider === 'GitHub' ? gitHub.find((event) => event.name === name)?.examples[nth] : stripeBody(name);
  if (body === undefined) throw new Error(`no payload ${provider} ${name} ${nth}`);
  return body;
}

/** Stripe's own example of an event is one about a plan; events about other objects have the same envelope. */
function stripeBody(type: string): object | undefined {
  const { event } = stripe.resources;
  if (type === 'plan.created') return event;
  const object = stripe.resources[OBJECTS[type] ?? ''];
  return object && { ...event, type, data: { object } };
}

/** The event that a service makes of a webhook. */
export const eventOf = (payload: Payload): Event => ({
  id: 'evt_1',
  type: 'webhook.received',
  channel: { type: 'webhook' },
  data: { body: bodyOf(payload) },
});

/** All payloads that GitHub publishes. */
export const gitHubPayloads: readonly Payload[] = gitHub.flatMap(({ name, examples }) =>
  examples.map((_, nth): Payload => ['GitHub', name, nth]),
);

/** Such as GitHub’s `push`, the fifth. */
export function nameOf([provider, name, nth]: Payload): string {
  return provider === 'Stripe' ? `Stripe’s \`${name}\`` : `GitHub’s \`${name}\`, example ${nth + 1}`;
}
