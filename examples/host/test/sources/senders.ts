/** Senders of each source's requests: the provider's own library where there is one. */
import { createHmac } from 'node:crypto';
import { sign as signAsGithub } from '@octokit/webhooks-methods';
import { createSigner } from 'headgate/signing';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import type { HeaderPairs } from '../../src/http/headers.js';
import type { SourceName } from '../../src/sources/index.js';

/** A sender of one source, as its documentation has it sign. */
export interface Sender {
  readonly source: SourceName;
  /** A secret of the form that the source has, made of any text. */
  readonly secretOf: (seed: string) => string;
  /** The headers of a genuine request. `seconds` is Unix time. */
  readonly sign: (
    secret: string,
    body: string,
    seconds: number,
    id: string,
  ) => Promise<HeaderPairs> | HeaderPairs;
  /** Names of the headers that it needs, in lower case. */
  readonly needs: readonly string[];
  readonly hasTime: boolean;
  /** The place of a delivery's id: a header, or this member of the body. */
  readonly idIn: 'header' | { readonly member: string };
  readonly signsId: boolean;
}

const hex = (seed: string): string => createHmac('sha256', 'seed').update(seed).digest('hex');

export const senders: readonly Sender[] = [
  {
    source: 'github',
    secretOf: hex,
    sign: async (secret, body, _seconds, id) => [
      ['X-GitHub-Delivery', id],
      ['X-Hub-Signature-256', await signAsGithub(secret, body)],
    ],
    needs: ['x-hub-signature-256'],
    hasTime: false,
    idIn: 'header',
    signsId: false,
  },
  {
    source: 'stripe',
    secretOf: (seed) => `whsec_${hex(seed)}`,
    sign: (secret, payload, timestamp) => [
      ['Stripe-Signature', Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })],
    ],
    needs: ['stripe-signature'],
    hasTime: true,
    idIn: { member: 'id' },
    signsId: true,
  },
  {
    source: 'slack',
    secretOf: (seed) => hex(seed).slice(32),
    sign: (secret, body, seconds) => [
      ['X-Slack-Request-Timestamp', String(seconds)],
      [
        'X-Slack-Signature',
        `v0=${createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex')}`,
      ],
    ],
    needs: ['x-slack-signature', 'x-slack-request-timestamp'],
    hasTime: true,
    idIn: { member: 'event_id' },
    signsId: true,
  },
  {
    source: 'standard_webhooks',
    secretOf: (seed) => `whsec_${Buffer.from(hex(seed), 'hex').toString('base64')}`,
    sign: (secret, body, seconds, id) => [
      ['webhook-id', id],
      ['webhook-timestamp', String(seconds)],
      ['webhook-signature', new Webhook(secret).sign(id, new Date(seconds * 1000), body)],
    ],
    needs: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    hasTime: true,
    idIn: 'header',
    signsId: true,
  },
  {
    source: 'headgate',
    secretOf: (seed) => `whsec_${hex(seed)}`,
    sign: (secrets, body, timestamp, eventId) =>
      Object.entries(
        createSigner({ secrets }).headers(body, { eventId, eventType: 'ping', origin: 'live', timestamp }),
      ),
    needs: ['svc-signature'],
    hasTime: true,
    idIn: { member: 'id' },
    signsId: true,
  },
];
