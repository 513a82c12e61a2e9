/** Replies of SDK clients: stored once, however often they are sent. */
import { JsonError } from 'headgate';
import type { Database } from '../db/index.js';
import { isEventId, newId } from '../ids.js';
import { readJson } from '../http/read-json.js';
import { MAX_REPLY_BYTES, type Refusal, type ServerFrame } from './protocol.js';
import { LOCK_REPLIED_EVENT } from './statements.js';

/** A reply as it came. */
export interface Reply {
  readonly project: string;
  /** The client's name; empty if it has none. */
  readonly client: string;
  readonly id: string;
  readonly event_id: string;
  /** Text as it was in the frame. */
  readonly payload: string;
}

const MESSAGES: Readonly<Record<Refusal, string>> = {
  reply_too_large: `a reply has at most ${MAX_REPLY_BYTES} bytes of JSON`,
  unknown_event: 'the project has no such event, or has it no longer',
  invalid_reply: 'the reply is not as the protocol describes it',
};

/** The frame that refuses a reply. Its ids are empty if the client sent none. */
export const refusedFrame = (
  { id, event_id }: Pick<Reply, 'id' | 'event_id'>,
  code: Refusal,
): ServerFrame & { readonly type: 'refused' } => ({
  type: 'refused',
  ...{ id, event_id, code, message: MESSAGES[code] },
});

/**
 * Stores a reply.
 *
 * @returns `stored` once it is on the disk, `repeated` for one that was stored before, or why it never will be.
 */
export async function storeReply(
  db: Database,
  reply: Reply,
  at: number,
): Promise<'stored' | 'repeated' | Refusal> {
  if (Buffer.byteLength(reply.payload) > MAX_REPLY_BYTES) return 'reply_too_large';
  const payload = payloadOf(reply);
  if (payload === null) return 'invalid_reply';
  if (!isEventId(reply.event_id)) return 'unknown_event';
  const row = {
    id: newId(at),
    project_id: reply.project,
    event_id: reply.event_id,
    client: reply.client,
    reply_id: reply.id,
    payload,
    received_at: at,
  };
  return db.transaction(async (tx) => {
    if ((await tx.get(LOCK_REPLIED_EVENT, [reply.event_id, reply.project])) === undefined) {
      return 'unknown_event';
    }
    const added = await tx.insert('replies', [row], '(project_id, event_id, client, reply_id) do nothing');
    return added === 1 ? 'stored' : 'repeated';
  });
}

/** Null for text that is not JSON. */
function payloadOf({ payload }: Reply): string | null {
  try {
    return readJson(payload).text;
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}
