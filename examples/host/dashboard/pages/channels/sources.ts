/** The sources that a channel can verify: what each needs, and where its people find that. Pure. */
import type { Output } from '../../data/index.js';

export type SourceName = Output<'getChannel'>['source']['name'];

export interface SourceText {
  readonly name: string;
  /** The source's own name for the secret; null if it has none. */
  readonly secret: string | null;
  /** Says where one finds it. */
  readonly where: string;
  /** A sentence: how its requests are verified. */
  readonly checks: string;
  readonly placeholder?: string;
}

export const SOURCES: Readonly<Record<SourceName, SourceText>> = {
  none: {
    name: 'None',
    secret: null,
    where: 'Anyone who knows the address can send. Keep it secret, or require a key below.',
    checks: 'Nothing is checked.',
  },
  github: {
    name: 'GitHub',
    secret: 'Secret',
    where:
      'In GitHub: the repository or organisation, Settings, Webhooks, the webhook, Secret. Choose one there, and write the same here. Take application/json as its content type.',
    checks: 'X-Hub-Signature-256 over the body.',
  },
  stripe: {
    name: 'Stripe',
    secret: 'Signing secret',
    where: 'In Stripe: Developers, Webhooks, the endpoint, Signing secret. It begins with whsec_.',
    checks: 'Stripe-Signature over time and body, within five minutes.',
    placeholder: 'whsec_…',
  },
  slack: {
    name: 'Slack',
    secret: 'Signing secret',
    where: 'In Slack: your apps, the app, Basic Information, App Credentials, Signing Secret.',
    checks:
      'X-Slack-Signature over time and body, within five minutes. The challenge for a new URL is answered.',
  },
  standard_webhooks: {
    name: 'Standard Webhooks',
    secret: 'Signing secret',
    where:
      'Where the sender shows the webhook’s settings; it begins with whsec_. Many services sign this way, also those that send through Svix.',
    checks: 'Webhook-Signature over id, time and body, within five minutes.',
    placeholder: 'whsec_…',
  },
  headgate: {
    name: 'Headgate',
    secret: 'Signing secret',
    where:
      'In the other Headgate: the channel whose events it sends, Signing secrets. It begins with whsec_.',
    checks: 'Svc-Signature over time and body, within five minutes.',
    placeholder: 'whsec_…',
  },
  token: {
    name: 'Token in a header',
    secret: 'Token',
    where: 'Where the sender lets you add a header. Choose a long random token, and write the same here.',
    checks: 'The header holds the token, with or without Bearer before it. The body is not signed.',
  },
};

export const SOURCE_OPTIONS = Object.entries(SOURCES).map(([value, { name }]) => ({
  value: value as SourceName,
  text: name,
}));
