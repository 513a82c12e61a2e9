/** Samples: events to try a channel with, in the shapes that providers send. Pure. */
import type { Output } from '../../data/index.js';
import { quoted } from '../exchange/curl.js';

export type Channel = Output<'listChannels'>['items'][number];

/** A sample, as it is edited. */
export interface Sample {
  /** The provider, or the type of the event in a channel of type `api`. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly payload: string;
}

const sample = (name: string, payload: object, headers: Sample['headers'] = {}): Sample => ({
  ...{ name, headers },
  payload: JSON.stringify(payload, null, 2),
});

const ORDER = { type: 'order.paid', amount: 980, customer: { name: 'Ada', country: 'GB' } };

/**
 * One of each provider, much shortened.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#push
 * @see https://docs.stripe.com/api/events/object
 * @see https://docs.slack.dev/reference/events/message
 */
const SAMPLES: Readonly<Record<string, Sample>> = {
  none: sample('An order', ORDER),
  github: sample(
    'GitHub',
    {
      ref: 'refs/heads/main',
      forced: false,
      repository: { full_name: 'octo/hello-world', private: false },
      pusher: { name: 'octocat' },
      head_commit: { id: '6dcb09b5b57875f334f61aebed695e2e4193db5e', message: 'Fix the door' },
    },
    { 'x-github-event': 'push' },
  ),
  stripe: sample('Stripe', {
    id: 'evt_sample',
    object: 'event',
    type: 'charge.succeeded',
    livemode: false,
    data: { object: { id: 'ch_sample', object: 'charge', amount: 980, currency: 'eur', paid: true } },
  }),
  slack: sample('Slack', {
    type: 'event_callback',
    team_id: 'T0000000001',
    event_id: 'Ev0000000001',
    event: { type: 'message', channel: 'C0000000001', user: 'U0000000001', text: 'Hello' },
  }),
};

/** The samples of a channel for webhooks, that of its own source first. */
export function samplesOf({ source }: Pick<Channel, 'source'>): readonly Sample[] {
  const own = SAMPLES[source.name];
  const others = Object.values(SAMPLES).filter((one) => one !== own);
  return own === undefined ? others : [own, ...others];
}

/** The sample that a form begins with. */
export const firstSample = (channel: Pick<Channel, 'type' | 'source'>): Sample => {
  if (channel.type === 'api') return publishedSample('invoice.paid', { id: 'in_42', amount: 120 });
  return samplesOf(channel)[0] ?? sample('An order', ORDER);
};

/** A sample of an event that is published, with the example of its type. */
export const publishedSample = (type: string, example: object | null): Sample => sample(type, example ?? {});

/** The body of the request that sends a sample; the payload is in it letter by letter. */
export const bodyOf = ({ type }: Pick<Channel, 'type'>, { name, headers, payload }: Sample): string => {
  const beside = type === 'api' ? { type: name } : { headers };
  return `${JSON.stringify(beside).slice(0, -1)},"payload":${payload}}`;
};

/** A sentence if a payload is not a JSON object; else null. */
export function payloadProblem(payload: string): string | null {
  try {
    const value = JSON.parse(payload) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? null
      : 'Write an object: { … }';
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}`;
  }
}

/** A command that sends a sample; null if only its source, or the holder of a key, could. */
export function commandOf(channel: Channel, { headers, payload }: Sample): string | null {
  const { url, requires_key: requiresKey, source } = channel;
  if (url === null || requiresKey || source.name !== 'none') return null;
  const all = Object.entries({ 'content-type': 'application/json', ...headers });
  return [
    `curl ${url}`,
    ...all.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `-d ${quoted(payload)}`,
  ].join(' \\\n  ');
}
