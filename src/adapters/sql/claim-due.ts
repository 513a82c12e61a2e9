/** The claim algorithm of every SQL store: rows to read, deliveries to lease, time of the next claim. */
import {
  type ByteBudget,
  byteBudget,
  ByteRoom,
  inFlightByBytes,
  MAX_BODY_BYTES,
} from '../../delivery/byte-budget.js';
import type { Claim, ClaimRequest, ClaimResult } from '../../delivery/store.js';
import type { StoreError } from '../../errors.js';
import { type Backlog, QUEUES_AT_A_TIME, type Look } from './backlog.js';
import type { Leased } from './leased.js';
import type { EndpointQueue } from './endpoint-queues.js';
import { storable } from './text.js';
import {
  type Candidate,
  type Due,
  loadAfter,
  takeTurns,
  type Unread,
  upToUnread,
  withinBytes,
} from './turns.js';

/** Number of deliveries not yet due that a claim reads, to find one whose endpoint is not full. */
export const LATER_AT_A_TIME = 8;
/** Most ended leases that a claim reads; there are many only after a large worker has crashed. */
export const EXPIRED_AT_A_TIME = 1_024;
/** Most times that a claim is made again because other workers were faster, and the first time. */
const MAX_ROUNDS = 5;
/** Most reads of due rows in one round of a claim. */
const MAX_READS = 3;
/** Most steps of the search for queues after one read; the next read continues it. */
const SEARCH_STEPS = 4;
/** Deliveries offered for each one that a claim may take: other workers may take some at the same time. */
const OFFERED_PER_CLAIMED = 4;

/** Rows that a claim read, each list in the order of `due_at`, within an endpoint or as a whole. */
export interface DueRows {
  /** Pending, due after `from` and by now. */
  readonly due: readonly Candidate[];
  /** Pending, due by `from` and by now, of each queue. */
  readonly behind: readonly Candidate[];
  /** Leased, and the lease has ended: {@link EXPIRED_AT_A_TIME} at most. */
  readonly expired: readonly Candidate[];
  /** The next pending that are not yet due, {@link LATER_AT_A_TIME} at most. */
  readonly later: readonly Due[];
  /** The next leases to end, {@link LATER_AT_A_TIME} at most. */
  readonly leased: readonly Due[];
}

/** Database queries of a claim. Texts are encoded by `storable`. */
export interface ClaimTables {
  read(look: Look): DueRows | Promise<DueRows>;
  /** The endpoints with unfinished deliveries, in the order of their ids, from one id on. */
  queues(from: string, limit: number): readonly EndpointQueue[] | Promise<readonly EndpointQueue[]>;
  /**
   * Leases deliveries that are still due, at most `request.limit`, in the order offered. Skips those that another
   * worker has leased or locked. Reads only the bodies of leased deliveries.
   */
  lease(offered: readonly Due[], request: ClaimRequest): Leased | Promise<Leased>;
}

/**
 * The `claim` method of a store. Claims are made one after another, since each uses the backlog that the one before
 * left.
 *
 * @param tables - The queries of the database.
 * @param backlog - The backlog of this store.
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

/** A request with defaults filled in and endpoint ids encoded by `storable`. */
interface TableRequest extends ClaimRequest {
  readonly bytes: ByteBudget;
}

function inTables(request: ClaimRequest): TableRequest {
  const { inFlight, perEndpoint, bytes = byteBudget(MAX_BODY_BYTES) } = request;
  const budget = { ...bytes, inFlightByEndpoint: storableKeys(bytes.inFlightByEndpoint) };
  return {
    ...request,
    inFlight: inFlightByBytes(storableKeys(inFlight), perEndpoint, budget),
    bytes: budget,
  };
}

const storableKeys = (counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
  new Map(Array.from(counts, ([endpoint, count]) => [storable(endpoint), count] as const));

/** A claim, or a part of one, before its result is returned. */
interface Round {
  readonly claims: ReadonlyMap<Due, Claim>;
  /** The leased deliveries, with the sizes of their bodies. */
  readonly claimed: readonly Candidate[];
  readonly nextDueAt: number | null;
  readonly isRestrained: boolean;
  readonly damaged: readonly StoreError[];
  /**
   * True if fewer than the limit were leased, because other workers took deliveries that this claim offered, or because
   * some that it did not read come next.
   */
  readonly isShort: boolean;
}

/**
 * Claims, and claims again what is left of the limit for as long as a round is short. Other workers read the same rows,
 * and a delivery that two of them choose goes to one. Heads of queues may be earlier than their deliveries, so that a
 * round has read too little of the others.
 */
async function claimDue(tables: ClaimTables, backlog: Backlog, request: TableRequest): Promise<ClaimResult> {
  const rounds = [await claimRound(tables, backlog, request)];
  for (let last = rounds[0]; last?.isShort === true && rounds.length < MAX_ROUNDS;) {
    // Leases from before a failure count; the next claim meets the failure again.
    const rest = withoutClaimed(request, rounds);
    last = await claimRound(tables, backlog, rest).catch(() => FAILED_ROUND(request.at));
    rounds.push(last);
  }
  const claims = rounds.flatMap((round) => Array.from(round.claims.values()));
  const damaged = rounds.flatMap((round) => round.damaged);
  // The last round read what the others left, and their leases.
  const nextDueAt = rounds.at(-1)?.nextDueAt ?? null;
  const isRestrained = rounds.some((round) => round.isRestrained);
  return { claims, nextDueAt, isRestrained, ...(damaged.length > 0 && { damaged }) };
}

const FAILED_ROUND = (at: number): Round => ({
  ...NOTHING,
  ...{ claimed: [], nextDueAt: at, isRestrained: false, isShort: false },
});

/** The request for what is left of its limits after some rounds. */
function withoutClaimed(request: TableRequest, rounds: readonly Round[]): TableRequest {
  const claimed = rounds.flatMap((round) => round.claimed);
  const inFlightByEndpoint = new Map(request.bytes.inFlightByEndpoint);
  let { inFlight } = request.bytes;
  for (const { endpoint_id, bytes } of claimed) {
    inFlight += bytes;
    inFlightByEndpoint.set(endpoint_id, (inFlightByEndpoint.get(endpoint_id) ?? 0) + bytes);
  }
  return {
    ...request,
    limit: request.limit - claimed.length,
    inFlight: loadAfter(request.inFlight, claimed),
    bytes: { ...request.bytes, inFlight, inFlightByEndpoint },
  };
}

async function claimRound(tables: ClaimTables, backlog: Backlog, request: TableRequest): Promise<Round> {
  const { limit } = request;
  const { look, rows, isAll } = await readDue(tables, backlog, request);
  const room = new ByteRoom(request.bytes);
  const unread = unreadOf(look, rows.behind);
  const { known, isCut } = upToUnread(takeTurns(inOrder(rows, look, unread), request));
  const offered = withinBytes(known, room, OFFERED_PER_CLAIMED * limit);
  const { claims, taken, damaged } = offered.length === 0 ? NOTHING : await tables.lease(offered, request);
  const claimed = offered.filter((one) => claims.has(one));
  // If fewer were leased than the limit, other workers have taken the rest of the offered ones.
  const gone = taken.size < limit ? new Set<Due>(offered) : taken;
  const isLeft = (one: Due): boolean => !gone.has(one);
  const left = [rows.due.filter(isLeft), rows.expired.filter(isLeft)];
  backlog.learn(look, headsLeft(unread, rows.behind.filter(isLeft)));
  const hasLost = taken.size < Math.min(limit, offered.length);
  backlog.meet(hasLost);
  const isShort = hasLost || (isCut && !room.isCut && taken.size < limit);
  const reading = { claimed, taken, left, later: [rows.later, rows.leased], isAll };
  // If offered deliveries were not claimed, the room does not show which bytes are used.
  const isUsed = claimed.length < limit && claimed.length === offered.length;
  const nextDueAt =
    isUsed && room.isCut ? null : nextDueAtOf(reading, backlog, request, isUsed ? room : null);
  return { claims, claimed, nextDueAt, isRestrained: room.isRestrained, damaged, isShort };
}

/**
 * The first delivery of each queue that was not read, by endpoint: it is not due before the last one that was read. A
 * queue without one was read to its end.
 */
function unreadOf({ behind }: Look, read: readonly Due[]): ReadonlyMap<string, Unread> {
  const unread = new Map<string, Unread>();
  const counts = new Map<string, number>();
  for (const { endpoint_id, due_at } of read) {
    const count = (counts.get(endpoint_id) ?? 0) + 1;
    counts.set(endpoint_id, count);
    if (count >= (behind.get(endpoint_id) ?? 0)) unread.set(endpoint_id, { endpoint_id, due_at });
  }
  return unread;
}

/**
 * All due rows, and the first one of each queue that was not read, in the order of `due_at` within each endpoint. Rows
 * of `behind` are due before those of `due`.
 */
function inOrder(
  { behind, due, expired }: DueRows,
  { next }: Look,
  unread: ReadonlyMap<string, Unread>,
): readonly (Candidate | Unread)[] {
  const pending = [...behind, ...unread.values(), ...(next === null ? [] : [next]), ...due];
  return expired.length === 0 ? pending : [...expired, ...pending].sort((a, b) => a.due_at - b.due_at);
}

const NOTHING: Leased = { claims: new Map(), taken: new Set(), damaged: [] };

/** Reads due rows. If more is due than was read, it grows the queues and reads again, then searches for all queues. */
async function readDue(
  tables: ClaimTables,
  backlog: Backlog,
  request: ClaimRequest,
): Promise<{ look: Look; rows: DueRows; isAll: boolean }> {
  for (let reads = 1; ; reads++) {
    const look = backlog.look(request);
    const rows = await tables.read(look);
    const isFull = rows.due.length === look.window;
    const isAll = !isFull && backlog.searchesFrom === null;
    if (isAll || reads === MAX_READS) return { look, rows, isAll };
    if (isFull && (reads > 1 || !backlog.grow(rows.due))) backlog.search(request.at);
    for (let step = 0; step < SEARCH_STEPS && backlog.searchesFrom !== null; step++) {
      backlog.found(await tables.queues(backlog.searchesFrom, QUEUES_AT_A_TIME), request.at);
    }
  }
}

/** The earliest `due_at` that may be left in each queue; a queue without one is empty. */
const headsLeft = (unread: ReadonlyMap<string, Unread>, left: readonly Due[]): ReadonlyMap<string, number> =>
  new Map([...unread.values(), ...left.toReversed()].map(({ endpoint_id, due_at }) => [endpoint_id, due_at]));

/** The rows that a claim read. Each list is in the order of `due_at`. */
interface Reading {
  readonly claimed: readonly Due[];
  /** Leased, also those without their bodies. */
  readonly taken: ReadonlySet<Due>;
  /** Due and not leased. */
  readonly left: readonly (readonly Due[])[];
  /** Not yet due. */
  readonly later: readonly (readonly Due[])[];
  /** True when all due rows were read, except those of the queues. */
  readonly isAll: boolean;
}

/** @param room - Shows which endpoints have used up their share of bytes; null if that is not known. */
function nextDueAtOf(
  { claimed, taken, left, later, isAll }: Reading,
  backlog: Backlog,
  { at, until, inFlight, perEndpoint }: ClaimRequest,
  room: ByteRoom | null,
): number | null {
  if (!isAll) return at;
  const load = loadAfter(inFlight, claimed);
  const isFull = (endpoint: string): boolean =>
    (load.get(endpoint) ?? 0) >= perEndpoint || room?.isClosed(endpoint) === true;
  const isFree = ({ endpoint_id }: Due): boolean => !isFull(endpoint_id);
  const dues = [
    backlog.earliest(isFull),
    ...left.map((rows) => rows.find(isFree)?.due_at),
    // There may be more at a free endpoint beyond the rows that were read, but none is due before the last of these.
    ...later.map((rows) => (rows.find(isFree) ?? rows[LATER_AT_A_TIME - 1])?.due_at),
    [...taken].some(isFree) ? until : null,
  ].filter((due) => due !== null && due !== undefined);
  return dues.length === 0 ? null : Math.min(...dues);
}
