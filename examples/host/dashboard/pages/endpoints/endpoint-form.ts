/** The form of an endpoint: texts as they are typed, and the body that they make. Pure. */
import type { Input } from '../../data/index.js';
import type { Endpoint } from './endpoint-list.js';

export interface Form {
  readonly name: string;
  readonly url: string;
  readonly attempts: string;
  readonly backoff: string;
  /** Seconds with commas between; empty for delays that double. */
  readonly delays: string;
  readonly rate: string;
  /** One topic a line; empty for every topic. */
  readonly topics: string;
  readonly signature: Endpoint['signature'];
  readonly ordering: Endpoint['ordering'];
  readonly onExhausted: Endpoint['on_exhausted'];
  readonly secret: Endpoint['secret'];
  readonly purpose: Endpoint['purpose'];
  readonly exchange: boolean;
}

export const formOf = (endpoint: Endpoint): Form => ({
  name: endpoint.name,
  url: endpoint.url,
  attempts: `${endpoint.retry_max_attempts}`,
  backoff: `${endpoint.retry_backoff_base_seconds}`,
  delays: endpoint.retry_delays?.join(', ') ?? '',
  rate: `${endpoint.rate_limit_per_second ?? ''}`,
  topics: endpoint.topics?.join('\n') ?? '',
  signature: endpoint.signature,
  ordering: endpoint.ordering,
  onExhausted: endpoint.on_exhausted,
  secret: endpoint.secret,
  purpose: endpoint.purpose,
  exchange: endpoint.exchange,
});

/** The topics of the lines; null if there are none. */
export function topicsOf({ topics }: Pick<Form, 'topics'>): readonly string[] | null {
  const lines = topics.split('\n').map((line) => line.trim());
  const named = lines.filter((line) => line !== '');
  return named.length === 0 ? null : named;
}

/** The delays of the list; null without one. */
export const delaysOf = ({ delays }: Form): readonly number[] | null =>
  delays.trim() === ''
    ? null
    : delays.split(',').map((delay) => (isWhole(delay, MAX_DELAY) ? Number(delay) : NaN));

export const bodyOf = (form: Form): Input<'updateEndpoint'>['body'] => ({
  name: form.name.trim(),
  url: form.url.trim(),
  retry_max_attempts: Number(form.attempts),
  retry_backoff_base_seconds: Number(form.backoff),
  retry_delays: delaysOf(form),
  rate_limit_per_second: form.rate.trim() === '' ? null : Number(form.rate),
  signature: form.signature,
  purpose: form.purpose,
  exchange: form.exchange,
  ...(form.purpose === 'events' && ofEvents(form)),
});

/** The members that endpoints for alerts do not have. */
const ofEvents = (form: Form) => ({
  topics: topicsOf(form),
  ordering: form.ordering,
  on_exhausted: form.onExhausted,
  secret: form.secret,
});

/** 30 days. */
const MAX_DELAY = 2_592_000;
const MAX_DELAYS = 20;

const isWhole = (text: string, most: number): boolean =>
  /^\s*\d{1,7}\s*$/.test(text) && Number(text) >= 1 && Number(text) <= most;

const areDelays = (delays: readonly number[]): boolean =>
  delays.length <= MAX_DELAYS && !delays.some(Number.isNaN);

/** A sentence for each invalid number; null for a valid one. */
export const numberProblem = (
  form: Form,
): Record<'attempts' | 'backoff' | 'delays' | 'rate', string | null> => {
  const { attempts, backoff, rate } = form;
  return {
    attempts: isWhole(attempts, 100) ? null : 'Give a whole number from 1 to 100.',
    backoff: isWhole(backoff, 86_400) ? null : 'Give whole seconds from 1 to 86,400, which is a day.',
    delays: areDelays(delaysOf(form) ?? [])
      ? null
      : 'Give up to 20 whole numbers of seconds, each at most 2,592,000 (30 days), with commas between.',
    rate:
      rate.trim() === '' || (Number(rate) > 0 && Number(rate) <= 10_000)
        ? null
        : 'Give a number up to 10,000, or nothing.',
  };
};
