/** Replays of many events: previewed, begun, listed, shown, stopped. `batches.ts` does their work. */
import { stringifyJson } from 'headgate';
import { jsonAnswer } from '../../api/answers.js';
import { namedRequest } from '../../api/idempotency.js';
import { assertMayReplay, authorFor, conditionsFor, idempotencyScope } from '../../api/portal.js';
import type { Principal } from '../../api/principal.js';
import { bind, type BoundRoute } from '../../api/route.js';
import { iso, isoOrNull } from '../../api/shapes.js';
import type { Database } from '../../db/index.js';
import { timeOfEventId } from '../../ids.js';
import { Problem } from '../../errors/problem.js';
import { createTurns } from '../../limits/turns.js';
import { startOfBucket } from '../../stored/postings.js';
import { createBulkActions, type Progress } from '../bulk/actions.js';
import type { BulkRow } from '../bulk/statements.js';
import { askedOf } from './batches.js';
import { namedRecipients } from './plan.js';
import { type Preview, previewReplays, type PreviewParts } from './preview.js';
import { type AskedReplays, type ReplayedComparisons, START } from './selection.js';
import {
  type BulkReplayView,
  getReplay,
  listReplays,
  replayEvents,
  type ReplayFilter,
  stopReplay,
} from './routes.js';

/** Dependencies of the routes. */
export interface BulkReplayParts extends PreviewParts {
  readonly db: Database;
  readonly now: () => number;
  readonly comparisons: ReplayedComparisons;
}

const REPLAYS = {
  kind: 'replay',
  begun: 'events.replayed',
  stopped: 'replay.stopped',
  mostRunning: 20,
} as const;
/** A replay may read its comparison for this long. */
const KEEP_MS = 30 * 86_400_000;
/** A preview may read for a second. */
const TURNS = { atOnce: 2, ofProject: 1, waiting: 4, allWaiting: 64, of: 'previews of replays' };

/** A replay of many events as its row has it: what was asked for, and what was counted then. */
interface StoredReplays extends AskedReplays {
  readonly preview: Preview;
}

export function replayEventsRoutes(parts: BulkReplayParts): readonly BoundRoute[] {
  const { now } = parts;
  const actions = createBulkActions(parts, REPLAYS);
  const turns = createTurns(TURNS);
  return [
    bind(replayEvents, async ({ params: { project }, body, principal, headers, signal }) => {
      const { dry, ...given } = body;
      assertMayReplay(principal, given);
      const scope = idempotencyScope(principal, `replayEvents:${project}`);
      const request = namedRequest(headers, scope, { asked: stringifyJson(given) });
      const asked = withDefaults({ ...given, filter: conditionsFor(principal, given.filter ?? {}) });
      await assertPossible(parts, project, asked);
      const at = now();
      if (asked.comparison !== undefined) {
        await parts.comparisons.keep(project, asked.comparison.id, dry ? at : at + KEEP_MS);
      }
      const preview = await turns
        .run(project, () => previewReplays(parts, { project, asked, began: at }, signal), signal)
        .catch(inFilter);
      if (dry) return jsonAnswer(200, { ...shownPreview(preview), replay: null });
      const stored = { ...asked, preview } satisfies StoredReplays;
      const texts = { filter: stringifyJson(stored), cursor: JSON.stringify(START) };
      const { events: total } = preview;
      const action = { project_id: project, total, ...texts, created_by: principal.actor, created_at: at };
      const { filter, comparison, rules, endpoint_ids } = asked;
      const after = { filter: shownFilter(filter), comparison, rules, endpoint_ids, events: total };
      const row = await actions.begin(action, after, request);
      return { ...shownPreview(previewOf(row)), replay: shownReplay(principal)(row) };
    }),
    bind(listReplays, ({ params: { project }, principal, query }) =>
      actions.page(project, query, shownReplay(principal)),
    ),
    bind(getReplay, async ({ params, principal }) =>
      shownProgress(principal, await actions.progress(params.project, params.replay)),
    ),
    bind(stopReplay, async ({ params, principal }) =>
      shownProgress(principal, await actions.stop(params.project, params.replay, principal.actor)),
    ),
  ];
}

/** Events that an endpoint has missed go to that endpoint alone, unless others are named. */
function withDefaults({
  filter = {},
  comparison,
  rules,
  endpoint_ids,
}: Omit<AskedReplays, 'filter'> & { readonly filter?: ReplayFilter | undefined }): AskedReplays {
  const named = endpoint_ids ?? (filter.missed_by === undefined ? undefined : [filter.missed_by]);
  return {
    ...{ filter, rules },
    ...(comparison !== undefined && { comparison }),
    ...(named !== undefined && { endpoint_ids: named }),
  };
}

/**
 * @throws Problem `invalid_request` for endpoints of others, and for a filter that selects nothing that could be
 *   replayed.
 */
async function assertPossible(
  { endpoints }: BulkReplayParts,
  project: string,
  { filter: { missed_by, status }, comparison, rules, endpoint_ids }: AskedReplays,
): Promise<void> {
  if (missed_by !== undefined && (await endpoints.named(project, [missed_by])).length === 0) {
    throw invalid('/filter/missed_by', 'the project has no such endpoint');
  }
  if (endpoint_ids !== undefined) namedRecipients(endpoint_ids, await endpoints.named(project, endpoint_ids));
  const isDropped = status === 'dropped';
  if (isDropped && missed_by !== undefined) {
    throw invalid('/filter/status', 'no endpoint has missed what was dropped');
  }
  if (rules === 'again' || endpoint_ids !== undefined) return;
  const areDropped = comparison?.groups.every((group) => group === 'would_be_delivered') ?? false;
  if (!isDropped && !areDropped) return;
  const message = 'name endpoint_ids, or give rules: "again" to decide dropped events by the rules of today';
  throw invalid(isDropped ? '/filter/status' : '/comparison/groups', message);
}

const invalid = (pointer: string, message: string): Problem =>
  new Problem('invalid_request', message, { issues: [{ code: 'invalid_value', pointer, message }] });

/** Issues of a match tree point into the body of the request. */
function inFilter(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'invalid_rule') throw error;
  const issues = (error.details.issues ?? []).map((issue) => ({
    ...issue,
    pointer: `/filter${issue.pointer}`,
  }));
  throw new Problem(error.code, error.message, { ...error.details, issues });
}

const previewOf = ({ filter }: BulkRow): Preview => (JSON.parse(filter) as StoredReplays).preview;

const shownPreview = ({ cursor, ...counts }: Preview) => ({
  ...counts,
  at_least: cursor !== null,
  scanned_to: cursor === null ? null : shownCursor(cursor),
});

/** The instant of a cursor; null at the beginning. */
const shownCursor = (cursor: string): string | null =>
  cursor === START ? null : iso(timeOfEventId(startOfBucket(cursor)));

/** A filter with instants as the API writes them. */
const shownFilter = ({ from, to, ...others }: ReplayFilter): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
  ...(from !== undefined && { from: iso(from) }),
  ...(to !== undefined && { to: iso(to) }),
});

const shownReplay =
  (principal: Principal) =>
  (row: BulkRow): BulkReplayView => {
    const { filter, comparison = null, rules, endpoint_ids = null } = askedOf(row);
    const { id, state, total, scanned, sent, skipped, deliveries, created_by } = row;
    return {
      ...{ id, ...askedFor(principal, { filter: shownFilter(filter), comparison, rules }) },
      endpoint_ids: endpoint_ids === null ? null : [...endpoint_ids],
      ...{ state, total, at_least: previewOf(row).cursor !== null },
      ...{ scanned, scanned_to: state === 'done' ? null : shownCursor(JSON.parse(row.cursor) as string) },
      ...{ replayed: sent, skipped, deliveries, created_at: iso(row.created_at) },
      ...{ created_by: authorFor(principal, created_by), ended_at: isoOrNull(row.ended_at) },
    };
  };

/** Leaves out the conditions of a replay that name rules or their content. */
function askedFor(
  { portal }: Principal,
  asked: Pick<BulkReplayView, 'filter' | 'comparison' | 'rules'>,
): Pick<BulkReplayView, 'filter' | 'comparison' | 'rules'> {
  if (portal === undefined) return asked;
  const { rule: _, match: __, ...filter } = asked.filter;
  return { ...asked, filter, comparison: null };
}

const shownProgress = (principal: Principal, { row, counts }: Progress) => ({
  ...shownReplay(principal)(row),
  ...counts,
});
