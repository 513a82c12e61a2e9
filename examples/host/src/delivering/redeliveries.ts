/** Bulk redeliveries: their routes, and what one batch of them does. */
import { jsonAnswer } from '../api/answers.js';
import { namedRequest } from '../api/idempotency.js';
import { authorFor, idempotencyScope, lettersFor } from '../api/portal.js';
import type { Principal } from '../api/principal.js';
import { bind, type BoundRoute } from '../api/route.js';
import { iso, isoOrNull } from '../api/shapes.js';
import { type BulkParts, createBulkActions, type Progress } from './bulk/actions.js';
import { PAUSE_MS, type PlanStep } from './bulk/runner.js';
import type { BulkRow } from './bulk/statements.js';
import { isOwn, shownFilter } from './dead-letters.js';
import {
  countLetters,
  type LetterConditions,
  type LetterCursor,
  scanLetters,
  startOf,
} from './letter-scan.js';
import {
  getRedelivery,
  listRedeliveries,
  redeliverDeadLetters,
  type RedeliveryView,
  stopRedelivery,
} from './routes.js';
import { redeliver } from './redeliver.js';

const REDELIVERIES = {
  kind: 'redelivery',
  begun: 'dead_letters.redelivered',
  stopped: 'redelivery.stopped',
  mostRunning: Infinity,
} as const;

export function redeliveryRoutes({ db, now }: BulkParts): readonly BoundRoute[] {
  const actions = createBulkActions({ db, now }, REDELIVERIES);
  return [
    bind(redeliverDeadLetters, async ({ params: { project }, body, principal, headers }) => {
      const { dry } = body;
      const filter = lettersFor(principal, body.filter);
      const at = now();
      // Letters that fail from now on are not among them.
      const start = startOf({ ...filter, to: Math.min(filter.to ?? at + 1, at + 1) });
      const total = (await isOwn(db, project, filter)) ? await countLetters(db, project, filter, start) : 0;
      if (dry) return jsonAnswer(200, { total, redelivery: null });
      const texts = { filter: JSON.stringify(filter), cursor: JSON.stringify(start) };
      const scope = idempotencyScope(principal, `redeliverDeadLetters:${project}`);
      const request = namedRequest(headers, scope, { filter: body.filter });
      const asked = { project_id: project, total, ...texts, created_by: principal.actor, created_at: at };
      const row = await actions.begin(asked, { filter: shownFilter(filter), total }, request);
      return { total: row.total, redelivery: shownRedelivery(principal)(row) };
    }),
    bind(listRedeliveries, ({ params: { project }, principal, query }) =>
      actions.page(project, query, shownRedelivery(principal)),
    ),
    bind(getRedelivery, async ({ params, principal }) =>
      shownProgress(principal, await actions.progress(params.project, params.redelivery)),
    ),
    bind(stopRedelivery, async ({ params, principal }) =>
      shownProgress(principal, await actions.stop(params.project, params.redelivery, principal.actor)),
    ),
  ];
}

const shownRedelivery =
  (principal: Principal) =>
  (row: BulkRow): RedeliveryView => ({
    id: row.id,
    filter: shownFilter(JSON.parse(row.filter) as LetterConditions),
    state: row.state,
    total: row.total,
    redelivered: row.sent,
    created_at: iso(row.created_at),
    created_by: authorFor(principal, row.created_by),
    ended_at: isoOrNull(row.ended_at),
  });

const shownProgress = (principal: Principal, { row, counts }: Progress) => ({
  ...shownRedelivery(principal)(row),
  ...counts,
});

const BATCH = 200;
/** Letters that a batch looks at to find as many that meet the filter. */
const SCAN = 2_000;
/**
 * After this many batches whose letters had changed, one letter at a time; after one more, that letter is left alone.
 */
const MAX_CHANGED = 3;

/** A batch reads the letters after those of the last batch and redelivers them. */
export const planRedelivery: PlanStep = ({ id, project_id: project, ...row }, changed) =>
  Promise.resolve({
    pauseMs: PAUSE_MS,
    async write(tx, at) {
      const start = JSON.parse(row.cursor) as LetterCursor;
      const filter = JSON.parse(row.filter) as LetterConditions;
      const asked = { project, filter, start, except: id };
      const { letters, next } = await scanLetters(tx, asked, changed < MAX_CHANGED ? BATCH : 1, SCAN);
      const isLeftAlone = changed > MAX_CHANGED;
      const { length: sent } = isLeftAlone ? [] : await redeliver(tx, letters, { at, replay: id }, id);
      return { sent, deliveries: sent, next: next === null ? null : JSON.stringify(next) };
    },
  });
