/** How much waits to be decided and delivered, as the database tells. */
import type { Queries } from '../db/index.js';
import type { Backlog } from './metrics.js';

/** Counts stop here, so that a scrape costs little while a million wait. */
const MOST = 10_000;

const UNDECIDED = `select count(*) as n, min(received_at) as oldest
  from (select received_at from events where status = 'received' order by decide_at limit ${MOST}) as waiting`;
const DUE = `select count(*) as n, min(due_at) as oldest from (
  select due_at from {deliveries} where state = 'pending' and due_at <= $1 limit ${MOST}) as waiting`;

interface Waiting {
  readonly n: number;
  readonly oldest: number | null;
}

/** @param at - Unix ms. */
export async function readBacklog(queries: Queries, at: number): Promise<Backlog> {
  const none: Waiting = { n: 0, oldest: null };
  const undecided = (await queries.get<Waiting>(UNDECIDED)) ?? none;
  const due = (await queries.get<Waiting>(DUE, [at])) ?? none;
  const age = (since: number | null): number => (since === null ? 0 : Math.max(0, at - since));
  return {
    undecided: undecided.n,
    oldestUndecidedMs: age(undecided.oldest),
    due: due.n,
    oldestDueMs: age(due.oldest),
  };
}
