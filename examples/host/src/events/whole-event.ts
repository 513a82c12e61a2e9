/** One event with everything that happened to it. */
import { authorFor } from '../api/portal.js';
import type { Principal } from '../api/principal.js';
import { iso, isoOrNull } from '../api/shapes.js';
import type { Queries } from '../db/index.js';
import { notFound } from '../errors/problem.js';
import { shownDecision, type StoredDecision } from '../stored/decision.js';
import { channelOf, headOf } from '../stored/event-json.js';
import { wholeRequest } from '../stored/request.js';
import { droppedBy } from './items.js';
import { outcomeOf } from './outcome.js';
import {
  type DeliveryRow,
  type EventRow,
  type ReplayRow,
  type ReplyRow,
  SELECT_DELIVERIES,
  SELECT_EVENT,
  SELECT_EVENT_BYTES,
  SELECT_REPLAYS,
  SELECT_REPLIES,
} from './statements.js';

/** Most deliveries, replays and replies that are shown with an event. */
const MOST = 100;
/** Most bytes of its replies; the newest is shown whatever it has. */
const MOST_REPLY_BYTES = 1_048_576;
/** Above every id, since ids are hexadecimal. */
const AFTER_ALL_IDS = 'g';

/** An event, and who asks for it. */
export interface AskedEvent {
  readonly project: string;
  readonly id: string;
  readonly principal: Principal;
}

/**
 * The JSON text of an event. What is stored as JSON goes into it letter by letter: it may be of any depth, and a number
 * of twenty digits keeps them all. The portal sees an event as endpoints get it, once it was processed.
 *
 * @param reserve - Takes memory for the text before its parts are read.
 * @throws Problem `not_found`, and what `reserve` throws
 */
export async function wholeEventText(
  queries: Queries,
  { project, id, principal }: AskedEvent,
  reserve: (bytes: number) => void,
): Promise<string> {
  const sized = await queries.get<{ bytes: number; status: string }>(SELECT_EVENT_BYTES, [id, project]);
  if (sized === undefined) throw notFound('event');
  reserve(sized.bytes);
  const readDeliveries = () => queries.all<DeliveryRow>(SELECT_DELIVERIES, [id, project, MOST]);
  let deliveries = await readDeliveries();
  const replays = await queries.all<ReplayRow>(SELECT_REPLAYS, [id, project, MOST]);
  const isPortal = principal.portal !== undefined;
  const replies = isPortal
    ? []
    : await queries.all<ReplyRow>(SELECT_REPLIES, [id, project, MOST, AFTER_ALL_IDS, MOST_REPLY_BYTES]);
  // The largest part comes last, so that it is not held while other statements wait.
  const row = await queries.get<EventRow>(SELECT_EVENT, [id, project]);
  if (row === undefined || (isPortal && row.status !== 'processed')) throw notFound('event');
  // It was decided meanwhile, and its deliveries were made then.
  if (sized.status === 'received' && row.status !== 'received') deliveries = await readDeliveries();
  const head = {
    id,
    type: row.type,
    topic: row.topic ?? row.type,
    channel: channelOf(headOf(row)),
    received_at: iso(row.received_at),
    status: row.status,
    outcome: outcomeOf(row.status, deliveries),
  };
  const members = [
    JSON.stringify(head).slice(1, -1),
    `"tags":${row.tags ?? '[]'}`,
    ...(isPortal ? [`"data":${row.projected ?? row.data}`, WITHHELD] : contentOf(row)),
    `"deliveries":${JSON.stringify(deliveries.map(shownDelivery))}`,
    `"replays":${JSON.stringify(replays.map(shownReplay(principal)))}`,
    `"replies":[${replies.map(replyText).join(',')}]`,
  ];
  return `{${members.join(',')}}`;
}

/** Content as it came in, and the rules' part in it. */
const WITHHELD = '"projected":null,"raw_payload":null,"decision":null';

const contentOf = (row: EventRow): readonly string[] => [
  `"data":${row.data}`,
  `"projected":${row.projected ?? 'null'}`,
  `"raw_payload":${row.raw_payload === null ? 'null' : wholeRequest(row.raw_payload, row.data)}`,
  `"decision":${JSON.stringify(decisionOf(row))}`,
];

function decisionOf({ decision, dropped_by, rules_version, decided_at }: EventRow) {
  if (decision === null) return null;
  const shown = shownDecision(JSON.parse(decision) as StoredDecision, dropped_by !== null);
  return {
    ...shown,
    dropped_by: droppedBy(dropped_by, shown.matched),
    rules_version,
    decided_at: isoOrNull(decided_at),
  };
}

const shownDelivery = (row: DeliveryRow) => ({
  id: row.id,
  endpoint_id: row.endpoint_id,
  origin: row.origin,
  state: row.state,
  attempts: row.attempts,
  due_at: isoOrNull(row.due_at),
  failure: row.failure,
  status_code: row.status_code,
  redelivery_id: row.redelivery_id,
  created_at: iso(row.created_at),
  finished_at: isoOrNull(row.finished_at),
});

const shownReplay =
  (principal: Principal) =>
  ({ id, rules, rules_version, created_at, created_by }: ReplayRow) => ({
    ...{ id, rules, rules_version: principal.portal === undefined ? rules_version : null },
    created_at: iso(created_at),
    created_by: authorFor(principal, created_by),
  });

/** The JSON text of a reply; its payload is JSON already. */
export function replyText({ id, client, reply_id, payload, received_at }: ReplyRow): string {
  const head = JSON.stringify({ id, client, reply_id, received_at: iso(received_at) });
  return `${head.slice(0, -1)},"payload":${payload}}`;
}
