/**
 * How an event stands, in one word. It follows from its status and from the newest delivery to each endpoint: a replay
 * or a redelivery replaces what was sent there before. Pure.
 */
import { PENDING_STATES } from '../stored/delivery-states.js';
import type { Outcome } from './routes.js';

/** The members of a delivery that decide. */
export interface Sent {
  readonly endpoint_id: string;
  /** As it is stored or as the API shows it. */
  readonly state: string;
  readonly attempts: number;
}

/** The newest delivery to each endpoint. */
export const latestOf = (newestFirst: readonly Sent[]): readonly Sent[] => [
  ...new Map(newestFirst.toReversed().map((sent) => [sent.endpoint_id, sent])).values(),
];

/** Whether a delivery has not ended: it is due, under way, or behind another one of its ordering key. */
export const isPending = ({ state }: Sent): boolean => PENDING_STATES.some((pending) => pending === state);

/**
 * The worst of its endpoints decides. A dropped event that was replayed to endpoints is judged by these deliveries.
 *
 * @param newestFirst - Its deliveries.
 */
export function outcomeOf(
  status: 'received' | 'processed' | 'dropped',
  newestFirst: readonly Sent[],
): Outcome {
  if (status === 'received') return 'not_decided';
  const latest = latestOf(newestFirst);
  if (latest.length === 0) return status === 'dropped' ? 'dropped' : 'no_endpoint';
  if (latest.some(({ state }) => state === 'failed')) return 'failing';
  const pending = latest.filter(isPending);
  if (pending.some(({ attempts }) => attempts > 0)) return 'retrying';
  return pending.length > 0 ? 'delivering' : 'delivered';
}

/** Reads deliveries that {@link newestDeliveries} has selected. */
export const sentOf = (text: string | null): readonly Sent[] =>
  (text ?? '')
    .split(',')
    .filter((one) => one !== '')
    .map((one) => {
      const [endpoint_id = '', state = '', attempts] = one.split(' ');
      return { endpoint_id, state, attempts: Number(attempts) };
    });

/**
 * The newest hundred deliveries of an event, in SQL: `<endpoint> <state> <attempts>`, newest first, with commas
 * between.
 *
 * @param id - The id of the event, in SQL.
 */
export const newestDeliveries = (id: string): string =>
  `(select string_agg(d.endpoint_id || ' ' || d.state || ' ' || d.attempts, ',') from (
      select endpoint_id, state, attempts from {deliveries} where id >= ${id} || ':' and id < ${id} || ';'
      order by created_at desc, number desc limit 100) as d)`;

/** A delivery of a project in trouble, in the words of the indexes that have those alone. */
export const TROUBLES = {
  failing: "state = 'failed'",
  retrying: "attempts > 0 and (state = 'pending' or state = 'leased' or state = 'waiting')",
} as const satisfies Partial<Record<Outcome, string>>;
export type Trouble = keyof typeof TROUBLES;
