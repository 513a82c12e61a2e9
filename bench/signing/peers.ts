/**
 * The other libraries, each used as its own documents say, without the JSON parsing that some of them add. Imported by
 * a name that the compiler does not follow, since they are installed for benches only.
 */
import { type Contender, secret } from './deliveries.js';

interface Stripe {
  webhooks: {
    generateTestHeaderString(options: { payload: string; secret: string; timestamp: number }): string;
    signature: {
      verifyHeader(payload: string | Uint8Array, header: string, secret: string, tolerance: number): boolean;
    };
  };
}
interface StandardWebhook {
  sign(id: string, timestamp: Date, payload: string): string;
  verify(
    payload: string | Uint8Array,
    headers: Readonly<Record<string, string>>,
    options: { jsonParse: false },
  ): void;
}
interface Octokit {
  sign(secret: string, payload: string): Promise<string>;
  verify(secret: string, payload: string, signature: string): Promise<boolean>;
}

export async function loadPeers(): Promise<Contender[]> {
  const { default: stripe } = await load<{ default: { default: Stripe } | Stripe }>('stripe');
  const { Webhook } = await load<{ Webhook: new (secret: string) => StandardWebhook }>('standardwebhooks');
  const octokit = await load<Octokit>('@octokit/webhooks-methods');
  return [
    stripeContender('default' in stripe ? stripe.default : stripe),
    standardContender(new Webhook(secret)),
    octokitContender(octokit),
  ];
}

const load = async <T>(name: string): Promise<T> => (await import(name)) as T;

const stripeContender = ({ webhooks }: Stripe): Contender => ({
  name: 'stripe',
  forms: ['bytes', 'text'],
  sign({ body, timestamp }, form) {
    const payload = form === 'text' ? body.text : body.bytes.toString();
    return webhooks.generateTestHeaderString({ payload, secret, timestamp });
  },
  verify: ({ body, headers }, form) =>
    holds(() => webhooks.signature.verifyHeader(body[form], headers['svc-signature']!, secret, 300)),
});

/** Signs another payload (`id.timestamp.body`) and writes base64: the same amount of work. */
const standardContender = (webhook: StandardWebhook): Contender => ({
  name: 'standardwebhooks',
  forms: ['text'],
  sign: ({ body, headers, timestamp }) =>
    webhook.sign(headers['webhook-id']!, new Date(timestamp * 1000), body.text),
  verify: ({ body, headers }) => holds(() => webhook.verify(body.text, headers, { jsonParse: false })),
});

/** Signs the body alone, without a time: less work than all others do. */
const octokitContender = ({ sign, verify }: Octokit): Contender => ({
  name: 'octokit',
  forms: ['text'],
  sign: ({ body }) => sign(secret, body.text),
  verify: ({ body, headers }) => verify(secret, body.text, headers['x-hub-signature-256']!),
});

function holds(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
