/** How much waits to be decided and delivered, as the database tells. */
import type { Queries } from '../db/index.js';
import type { Backlog } from './metrics.js';

/** Counts stop here, so that a scrape costs little while a million wait. */
const MOST = 10_000;

/** The oldest event of each project is the first in the index, since ids sort by the time of receipt. */
export const SELECT_UNDECIDED = `with recursive waiting (project_id) as (
    select min(project_id) from events where status = 'received'
    union all
    select (select min(project_id) from events where status = 'received' and events.project_id > waiting.project_id)
    from waiting where waiting.project_id is not null)
  select (select count(*) from (
      select 1 from events where status = 'received' order by project_id, id limit ${MOST}) as counted) as n,
    min((select received_at from events where status = 'received' and events.project_id = projects.project_id
      order by id limit 1)) as oldest
  from (select project_id from waiting where project_id is not null limit ${MOST}) as projects`;
export const SELECT_DUE = `select count(*) as n, min(due_at) as oldest from (
  select due_at from {deliveries} where state = 'pending' and due_at <= $1 limit ${MOST}) as waiting`;

interface Waiting {
  readonly n: number;
  readonly oldest: number | null;
}

/** @param at - Unix ms. */
export async function readBacklog(queries: Queries, at: number): Promise<Backlog> {
  const none: Waiting = { n: 0, oldest: null };
  const undecided = (await queries.get<Waiting>(SELECT_UNDECIDED)) ?? none;
  const due = (await queries.get<Waiting>(SELECT_DUE, [at])) ?? none;
  const age = (since: number | null): number => (since === null ? 0 : Math.max(0, at - since));
  return {
    undecided: undecided.n,
    oldestUndecidedMs: age(undecided.oldest),
    due: due.n,
    oldestDueMs: age(due.oldest),
  };
}
