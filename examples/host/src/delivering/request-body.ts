/** The body of a delivery that is finished, or was not stored: made again, byte for byte, of what it was made of. */
import { bodyReader, type Queries } from '../db/index.js';
import { eventBytes, headOf, isAlert } from '../stored/event-json.js';
import {
  type DeliveryRow,
  type ReplayedEventRow,
  type ReplayRow,
  SELECT_DELIVERY,
  SELECT_REPLAY,
  SELECT_REPLAYED_EVENT,
} from './statements.js';

/** Most redeliveries of redeliveries that are followed back. */
const MOST_STEPS = 100;

/**
 * Reads the body that a delivery sends.
 *
 * @returns Null if it is not known any more: that of an alert, whose event is stored nowhere, and that of a redelivery
 * whose first delivery is deleted.
 */
export async function bodyOf(queries: Queries, row: DeliveryRow): Promise<Uint8Array | null> {
  if (isAlert(row.event_type)) return null;
  const first = await firstOf(queries, row);
  if (first === null) return null;
  const { project_id, event_id } = first;
  const [, , replayId] = first.id.split(':');
  const replay =
    replayId === undefined ? undefined : await queries.get<ReplayRow>(SELECT_REPLAY, [replayId, project_id]);
  if (replay?.rules !== 'again') {
    const [body] = await bodyReader(queries)([{ event_id, columns: { project_id } }]);
    return body ?? null;
  }
  const event = await queries.get<ReplayedEventRow>(SELECT_REPLAYED_EVENT, [project_id, event_id]);
  if (event === undefined) return null;
  const { tags } = JSON.parse(replay.decision) as { readonly tags: readonly string[] };
  const projection = { data: replay.projected ?? event.data, tags: JSON.stringify(tags) };
  return eventBytes(headOf(event), projection);
}

/** The delivery that a redelivery goes back to, step by step; the delivery itself if it repeats none. */
async function firstOf(queries: Queries, row: DeliveryRow): Promise<DeliveryRow | null> {
  let first = row;
  for (let step = 0; first.replay_of !== null; step++) {
    const before = await queries.get<DeliveryRow>(SELECT_DELIVERY, [first.replay_of, row.project_id]);
    if (before === undefined || step === MOST_STEPS) return null;
    first = before;
  }
  return first;
}
