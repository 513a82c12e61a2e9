/** A claim, as every database makes it: what to read, whom to choose, and when to look again. */
import type { Claim, ClaimRequest, ClaimResult } from '../../delivery/store.js';
import { type Backlog, LANES_AT_A_TIME, type Look } from './backlog.js';
import type { Lane } from './lanes.js';
import { storable } from './text.js';
import { type Due, loadAfter, takeTurns } from './turns.js';

/** How many deliveries that are not yet due a claim looks at, to find one whose endpoint is not full. */
export const LATER_AT_A_TIME = 8;
/** A claim is offered more than it may take, for others may take some of them at the same time. */
const OFFER = 4;

/** What a claim read. All in the order of `due_at`, within an endpoint or as a whole. */
export interface DueRows {
  /** Due after `from` and by now. */
  readonly due: readonly Due[];
  /** Due by `from` and by now, lane by lane. */
  readonly behind: readonly Due[];
  /** The next that are not yet due, {@link LATER_AT_A_TIME} at most. */
  readonly later: readonly Due[];
}

/** What a claim asks of a database. Texts are as the tables hold them. */
export interface ClaimTables {
  read(look: Look): DueRows | Promise<DueRows>;
  /** The endpoints from one on, in the order of their ids, that have anything unfinished. */
  lanes(from: string, limit: number): readonly Lane[] | Promise<readonly Lane[]>;
  /**
   * Leases deliveries that are still due, at most `request.limit`, in the order in which they are offered; skips those
   * that somebody else has or is about to have.
   */
  lease(
    offered: readonly Due[],
    request: ClaimRequest,
  ): ReadonlyMap<Due, Claim> | Promise<ReadonlyMap<Due, Claim>>;
}

/**
 * Claims of one store, one after another: each builds on what the one before found behind.
 *
 * @param tables - The database.
 * @param backlog - Of this store.
 */
export function createClaims(
  tables: ClaimTables,
  backlog: Backlog,
): (request: ClaimRequest) => Promise<ClaimResult> {
  let last: Promise<unknown> = Promise.resolve();
  return (request) => {
    const result = last.then(() => claimDue(tables, backlog, inTables(request)));
    last = result.catch(() => backlog.forget());
    return result;
  };
}

function inTables(request: ClaimRequest): ClaimRequest {
  const inFlight = Array.from(request.inFlight, ([endpoint, count]) => [storable(endpoint), count] as const);
  return { ...request, inFlight: new Map(inFlight) };
}

async function claimDue(tables: ClaimTables, backlog: Backlog, request: ClaimRequest): Promise<ClaimResult> {
  const { look, rows } = await readDue(tables, backlog, request);
  const due = [...rows.behind, ...rows.due];
  const offered = takeTurns(due, request).slice(0, OFFER * request.limit);
  const leased = offered.length === 0 ? NOTHING : await tables.lease(offered, request);
  const claimed = Array.from(leased.keys());
  // Where fewer were leased than there was room for, the others are somebody else's by now.
  const gone = new Set(claimed.length < request.limit ? offered : claimed);
  backlog.learn(look, headsLeft(look, rows.behind, gone));
  const left = rows.due.filter((one) => !gone.has(one));
  const next = nextDueAt({ claimed, left, later: rows.later }, backlog, request);
  return { claims: Array.from(leased.values()), nextDueAt: next };
}

const NOTHING: ReadonlyMap<Due, Claim> = new Map();

/** Reads again where the first look found that there is a backlog. */
async function readDue(
  tables: ClaimTables,
  backlog: Backlog,
  request: ClaimRequest,
): Promise<{ look: Look; rows: DueRows }> {
  const look = backlog.look(request);
  const rows = await tables.read(look);
  if (rows.due.length === look.window) backlog.overflow(request.at);
  if (backlog.searchesFrom === null) return { look, rows };
  backlog.found(await tables.lanes(backlog.searchesFrom, LANES_AT_A_TIME), request.at);
  const again = backlog.look(request);
  return { look: again, rows: await tables.read(again) };
}

/** When the earliest delivery is due that is left of each lane; a lane without one has nothing left. */
function headsLeft(
  { behind }: Look,
  read: readonly Due[],
  gone: ReadonlySet<Due>,
): ReadonlyMap<string, number> {
  const heads = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const one of read) {
    const { endpoint_id, due_at } = one;
    const count = (counts.get(endpoint_id) ?? 0) + 1;
    counts.set(endpoint_id, count);
    // Who read as many as were wanted does not know whether there are more.
    const mayBeMore = count === behind.get(endpoint_id);
    if (!heads.has(endpoint_id) && (mayBeMore || !gone.has(one))) heads.set(endpoint_id, due_at);
  }
  return heads;
}

/** What a claim came to. */
interface Reading {
  readonly claimed: readonly Due[];
  /** Due, read in order, and not claimed. */
  readonly left: readonly Due[];
  readonly later: readonly Due[];
}

function nextDueAt(
  { claimed, left, later }: Reading,
  backlog: Backlog,
  { at, until, inFlight, perEndpoint }: ClaimRequest,
): number | null {
  if (backlog.searchesFrom !== null) return at;
  const load = loadAfter(inFlight, claimed);
  const isFull = (endpoint: string): boolean => (load.get(endpoint) ?? 0) >= perEndpoint;
  const isFree = ({ endpoint_id }: Due): boolean => !isFull(endpoint_id);
  // Beyond those read there may be some at a free endpoint, but none earlier than the last of them.
  const next = later.find(isFree) ?? (later.length < LATER_AT_A_TIME ? undefined : later.at(-1));
  const dues = [
    backlog.earliest(isFull),
    left.find(isFree)?.due_at,
    next?.due_at,
    claimed.some(isFree) ? until : null,
  ].filter((due) => due !== null && due !== undefined);
  return dues.length === 0 ? null : Math.min(...dues);
}
