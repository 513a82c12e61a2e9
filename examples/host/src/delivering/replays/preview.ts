/** Counts what a replay of many events would send, as its batches would, within bounds. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../db/index.js';
import { type AskedReplays, nextCandidates, type SelectionParts, START } from './selection.js';
import { recipientsFor, type ReplayEndpoints } from './writing.js';

/** Dependencies of a preview. */
export interface PreviewParts extends SelectionParts {
  readonly db: Pick<Database, 'all'>;
  readonly endpoints: ReplayEndpoints;
}

/** The counts of a preview. */
export interface Preview {
  readonly events: number;
  /** Null if the rules of today choose the endpoints. */
  readonly deliveries: number | null;
  readonly skipped: number;
  /** The cursor at which counting has stopped; null if everything was counted. */
  readonly cursor: string | null;
}

/** Events that are looked at. */
const MOST_SCANNED = 50_000;
const MOST_DELIVERIES = 200_000;
/** Steps without and with a match tree, each of which may take as long as a search. */
const MOST_STEPS = 1_000;
const MOST_SEARCHES = 25;
/** Events of a step: few at first, and then as many as have about this many deliveries. */
const FIRST_EVENTS = 10;
const MOST_EVENTS = 200;
const DELIVERIES_OF_STEP = 4_000;

/** @param began - Later decisions do not count. Unix ms. */
export async function previewReplays(
  parts: PreviewParts,
  of: { readonly project: string; readonly asked: AskedReplays; readonly began: number },
  signal: AbortSignal,
): Promise<Preview> {
  const { project, asked } = of;
  const isUnknown = asked.rules === 'again' && asked.endpoint_ids === undefined;
  const mostSteps = asked.filter.match === undefined ? MOST_STEPS : MOST_SEARCHES;
  const sum = { events: 0, deliveries: 0, skipped: 0, scanned: 0 };
  let [cursor, most]: [string | null, number] = [START, FIRST_EVENTS];
  for (let steps = 0; cursor !== null; steps++) {
    const isOver = sum.scanned >= MOST_SCANNED || sum.deliveries >= MOST_DELIVERIES || signal.aborted;
    if (isOver || steps === mostSteps) break;
    const found = await nextCandidates(parts, of, { cursor, most }, signal);
    const events = found.fates.flatMap(({ event, isSent }) => (isSent ? [event] : []));
    sum.events += events.length;
    sum.skipped += found.fates.length - events.length;
    sum.scanned += found.scanned;
    if (!isUnknown) {
      const recorded = { ...asked, rules: 'recorded' as const };
      const recipients = await recipientsFor({ ...parts, project, asked: recorded }, events, new Map());
      for (const { endpoints } of recipients.values()) sum.deliveries += endpoints.length;
    }
    const ofEvent = Math.max(1, sum.deliveries / Math.max(1, sum.events));
    most = Math.min(MOST_EVENTS, Math.max(FIRST_EVENTS, Math.floor(DELIVERIES_OF_STEP / ofEvent)));
    cursor = found.next;
    await nextTurn();
  }
  const { events, skipped } = sum;
  return { events, deliveries: isUnknown ? null : sum.deliveries, skipped, cursor };
}
