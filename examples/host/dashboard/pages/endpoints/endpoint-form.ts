/** The form of an endpoint: texts as they are typed, and the body that they make. Pure. */
import type { Input } from '../../data/index.js';
import type { Endpoint } from './endpoint-list.js';

export interface Form {
  readonly name: string;
  readonly url: string;
  readonly attempts: string;
  readonly backoff: string;
  readonly rate: string;
}

export const formOf = (endpoint: Endpoint): Form => ({
  name: endpoint.name,
  url: endpoint.url,
  attempts: `${endpoint.retry_max_attempts}`,
  backoff: `${endpoint.retry_backoff_base_seconds}`,
  rate: `${endpoint.rate_limit_per_second ?? ''}`,
});

export const bodyOf = ({ name, url, attempts, backoff, rate }: Form): Input<'updateEndpoint'>['body'] => ({
  name: name.trim(),
  url: url.trim(),
  retry_max_attempts: Number(attempts),
  retry_backoff_base_seconds: Number(backoff),
  rate_limit_per_second: rate.trim() === '' ? null : Number(rate),
});

const isWhole = (text: string, most: number): boolean =>
  /^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= most;

/** A sentence for each invalid number; null for a valid one. */
export const numberProblem = ({
  attempts,
  backoff,
  rate,
}: Form): Record<'attempts' | 'backoff' | 'rate', string | null> => ({
  attempts: isWhole(attempts, 100) ? null : 'Give a whole number from 1 to 100.',
  backoff: isWhole(backoff, 86_400) ? null : 'Give whole seconds from 1 to 86,400, which is a day.',
  rate:
    rate.trim() === '' || (Number(rate) > 0 && Number(rate) <= 10_000)
      ? null
      : 'Give a number up to 10,000, or nothing.',
});
