/**
 * Batches of a replay of many events. Each is chosen and decided first, and then written in one transaction. The rate
 * of all replays of the process, and a window for each, keep it small: a fresh delivery finds half of the slots of its
 * endpoint free of the first attempts of a replay, however slow the endpoint is.
 */
import { parseJson } from 'headgate';
import { DatabaseUnavailable, type Database, type Transaction } from '../../db/index.js';
import { newId } from '../../ids.js';
import { Problem } from '../../errors/problem.js';
import { createRate } from '../../limits/rate.js';
import { BatchRefused, PAUSE_MS, type PlanStep, type Step } from '../bulk/runner.js';
import { type BulkRow, COUNT_UNFINISHED, type UnfinishedRow } from '../bulk/statements.js';
import { type DecisionAgain, recordedDecision, type ReplayDecision, todaysDecision } from './plan.js';
import {
  type AskedReplays,
  type Candidates,
  cutAfter,
  nextCandidates,
  type SelectionParts,
  withinBytes,
} from './selection.js';
import { type CandidateRow, type MissedRow, SELECT_MISSED, SELECT_REPLAYED_BYTES } from './statements.js';
import { recipientsFor, type ReplayEndpoints, writeReplays } from './writing.js';
import type { Recipients } from './plan.js';
import { LOCK_REPLAYED_EVENTS, type ReplayedEventRow } from '../statements.js';

/** Dependencies and bounds of the batches. */
export interface BatchParts extends SelectionParts {
  readonly db: Database;
  readonly now: () => number;
  readonly endpoints: ReplayEndpoints;
  /** Decides a stored event by the rules of today. */
  readonly again: (project: string, event: string) => Promise<DecisionAgain>;
  /** Deliveries that all replays of this process together make a second. */
  readonly perSecond: number;
  /** True while more events come in than can be stored at once: replays wait then. */
  readonly isPressed?: () => boolean;
  /** Deliveries of a replay that wait for their first attempt, or are under way with it. */
  readonly window: number;
}

/** Deliveries of a replay that have not ended, those that wait for a retry among them. */
const MOST_UNFINISHED = 1_000;
/** This many events that are only looked at cost as much as one delivery. */
const LOOKS = 20;
/** Bytes of the events of a batch. */
const MOST_BYTES = 4_194_304;
/** Small batches, whose deliveries are due one after the other, so that fresh events wait for none of them long. */
const BATCHES_PER_SECOND = 20;
/** Before a full window is looked at again. */
const FULL_MS = 50;
/** After this many batches with an event that could not be decided, the event is skipped. */
const MAX_REFUSED = 3;
/** Decisions of a batch that are under way at a time. */
const DECIDED_AT_ONCE = 4;
/** Everything has the same bucket: the rate is that of the process. */
const ALL = '';

/** A batch that is chosen and decided. */
interface Plan {
  readonly action: BulkRow;
  readonly asked: AskedReplays;
  readonly candidates: Candidates;
  readonly events: readonly CandidateRow[];
  readonly again: ReadonlyMap<string, ReplayDecision>;
  readonly recipients: ReadonlyMap<string, Recipients>;
}

export function createReplayBatches(parts: BatchParts): PlanStep {
  const { db, now, perSecond, window, isPressed = () => false } = parts;
  const mostOfBatch = Math.max(1, Math.ceil(perSecond / BATCHES_PER_SECOND));
  const rate = createRate(perSecond);
  const wait = (pauseMs: number): Step => ({ write: null, pauseMs });
  return async (action, refused) => {
    const unfinished = await db.get<UnfinishedRow>(COUNT_UNFINISHED, [action.id, MOST_UNFINISHED]);
    const { n = 0, untried = 0 } = unfinished ?? {};
    const room = window - untried;
    if (room <= 0 || n >= MOST_UNFINISHED || isPressed()) return wait(FULL_MS);
    const rateMs = rate.take(ALL, 1, now());
    if (rateMs > 0) return wait(rateMs);
    const plan = await planBatch(parts, action, Math.min(room, mostOfBatch), refused);
    const cost = costOf(plan);
    rate.spend(ALL, cost - 1, now());
    const pauseMs = Math.max(PAUSE_MS, (cost / perSecond) * 1_000);
    return { pauseMs, write: (tx, at) => writeBatch(tx, plan, at, 1_000 / perSecond) };
  };
}

/** In deliveries. */
const costOf = ({ candidates, events, recipients }: Plan): number =>
  Math.max(
    1,
    Math.ceil(candidates.scanned / LOOKS),
    events.reduce((sum, { id }) => sum + Math.max(1, recipients.get(id)?.endpoints.length ?? 0), 0),
  );

/** A replay as its row has it. */
export const askedOf = ({ filter }: Pick<BulkRow, 'filter'>): AskedReplays =>
  parseJson(filter) as AskedReplays;

const NEVER = new AbortController().signal;

async function planBatch(parts: BatchParts, action: BulkRow, room: number, refused: number): Promise<Plan> {
  const { db, endpoints } = parts;
  const { project_id: project, created_at: began } = action;
  const asked = await withEndpointsOfToday(parts, project, askedOf(action));
  const cursor = JSON.parse(action.cursor) as string;
  const most = refused === 0 ? room : 1;
  const all = await nextCandidates(parts, { project, asked, began }, { cursor, most }, NEVER);
  const read = await withinMemory(db, all);
  const again =
    asked.rules === 'again' ? await decideAgain(parts, project, sentOf(read), refused) : new Map();
  const recipients = await recipientsFor({ db, endpoints, project, asked }, sentOf(read), again);
  let deliveries = 0;
  const fit = sentOf(read).findIndex(
    ({ id }, i) => (deliveries += recipients.get(id)?.endpoints.length ?? 0) > room && i > 0,
  );
  const candidates = fit < 0 ? read : cutAfter(read, fit);
  return { action, asked, candidates, events: sentOf(candidates), again, recipients };
}

const sentOf = ({ fates }: Candidates): readonly CandidateRow[] =>
  fates.flatMap(({ event, isSent }) => (isSent ? [event] : []));

/** Without the named endpoints that were deleted since the replay began. */
async function withEndpointsOfToday(
  { endpoints }: BatchParts,
  project: string,
  asked: AskedReplays,
): Promise<AskedReplays> {
  if (asked.endpoint_ids === undefined) return asked;
  const known = await endpoints.named(project, asked.endpoint_ids);
  return { ...asked, endpoint_ids: known.map(({ id }) => id) };
}

async function withinMemory(db: Database, candidates: Candidates): Promise<Candidates> {
  const events = sentOf(candidates);
  const ids = JSON.stringify(events.map(({ id }) => id));
  const rows = await db.all<{ id: string; bytes: number }>(SELECT_REPLAYED_BYTES, [ids]);
  const bytes = new Map(rows.map((row) => [row.id, row.bytes]));
  const [first, next] = withinBytes(events, ({ id }) => bytes.get(id) ?? 0, MOST_BYTES);
  return next === null ? candidates : cutAfter(candidates, first.length);
}

/**
 * Decides events by the rules of today.
 *
 * @throws BatchRefused if one cannot be decided; once that was tried a few times, it is left out instead.
 */
async function decideAgain(
  { again }: BatchParts,
  project: string,
  events: readonly CandidateRow[],
  refused: number,
): Promise<ReadonlyMap<string, ReplayDecision>> {
  const decided = new Map<string, ReplayDecision>();
  for (let i = 0; i < events.length; i += DECIDED_AT_ONCE) {
    const some = events.slice(i, i + DECIDED_AT_ONCE);
    const results = await Promise.allSettled(some.map(({ id }) => again(project, id)));
    for (const [n, result] of results.entries()) {
      const id = some[n]?.id ?? '';
      if (result.status === 'fulfilled') decided.set(id, todaysDecision(result.value));
      else assertHopeless(result.reason, refused);
    }
  }
  return decided;
}

function assertHopeless(error: unknown, refused: number): void {
  if (error instanceof DatabaseUnavailable) throw error;
  const isGone = error instanceof Problem && error.code === 'not_found';
  if (!isGone && refused < MAX_REFUSED) {
    throw new BatchRefused('an event could not be decided', { cause: error });
  }
}

/** @param gapMs - Between two deliveries. */
async function writeBatch(tx: Transaction, plan: Plan, at: number, gapMs: number) {
  const { action, asked, candidates, again, recipients } = plan;
  const { project_id: project, id, created_by: actor } = action;
  const events = await stillMeant(tx, plan);
  // Events for named endpoints go to nobody else.
  const isLogged = asked.endpoint_ids === undefined;
  const replays = events.flatMap((event) => {
    const decision = asked.rules === 'again' ? again.get(event.id) : recordedDecision(event);
    const to = recipients.get(event.id);
    if (decision === undefined || to === undefined || !(isLogged || to.endpoints.length > 0)) return [];
    if (asked.rules === 'again' && decision.outcome === 'drop') return [];
    return [{ id: newId(at), event, decision, recipients: to }];
  });
  await writeReplays(tx, { project, rules: asked.rules, actor, at, gapMs, action: id, isLogged }, replays);
  if (isLogged && replays.length > 0) await tx.notify('log', project);
  const { next, scanned, fates } = candidates;
  return {
    ...{ sent: replays.length, scanned, skipped: fates.length - replays.length },
    deliveries: replays.reduce((sum, { recipients: { endpoints } }) => sum + endpoints.length, 0),
    next: next === null ? null : JSON.stringify(next),
  };
}

/** Locks the events of a batch, and leaves out those that an endpoint has got, or will get, since they were chosen. */
async function stillMeant(
  tx: Transaction,
  { action, asked, events }: Plan,
): Promise<readonly ReplayedEventRow[]> {
  if (events.length === 0) return [];
  const ids = events.map(({ id }) => id);
  const locked = await tx.all<ReplayedEventRow>(LOCK_REPLAYED_EVENTS, [
    action.project_id,
    JSON.stringify(ids),
  ]);
  const { missed_by } = asked.filter;
  if (missed_by === undefined) return locked;
  const objects = JSON.stringify(ids.map((id) => ({ id })));
  const rows = await tx.all<MissedRow>(SELECT_MISSED, [objects, missed_by, action.project_id]);
  const got = new Set(rows.filter(({ best }) => best === 2).map(({ id }) => id));
  return locked.filter(({ id }) => !got.has(id));
}
