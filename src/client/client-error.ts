/** The error class of the client, and its messages. */
import { HeadgateError } from '../errors.js';

/**
 * Codes of {@link ClientError}.
 *
 * - `unauthorized`, `forbidden`, `replaced`, `unknown_from`, `no_websocket` end the client, and so does
 *   `protocol_error` where the host says it.
 * - After `connection_failed`, `connection_lost`, `timeout`, `too_fast`, `going_away`, and `protocol_error` where the
 *   host broke the protocol, it connects again.
 * - `handler_failed`: the handler gets the same event again.
 * - `invalid_reply`, `reply_too_large`, `unknown_event`, `reply_refused`, `too_many_replies` and `closed` reject a
 *   reply.
 */
export type ClientErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'replaced'
  | 'unknown_from'
  | 'no_websocket'
  | 'protocol_error'
  | 'connection_failed'
  | 'connection_lost'
  | 'timeout'
  | 'too_fast'
  | 'going_away'
  | 'handler_failed'
  | 'invalid_reply'
  | 'reply_too_large'
  | 'unknown_event'
  | 'reply_refused'
  | 'too_many_replies'
  | 'closed';

/** Messages by code. docs/errors.md has the causes and cures at length. */
const MESSAGES: Readonly<Record<ClientErrorCode, string>> = {
  unauthorized: 'the key is wrong, revoked or of another project',
  forbidden: 'the key needs the scope receive',
  replaced: 'another connection has this name now',
  unknown_from: 'from is not kept: give another',
  no_websocket: 'give WebSocket, a class',
  protocol_error: 'client and host disagree: update both',
  connection_failed: 'no connection: check url and project',
  connection_lost: 'the connection broke',
  timeout: 'the host is silent',
  too_fast: 'too many frames',
  going_away: 'the host stops',
  handler_failed: 'the handler failed',
  invalid_reply: 'give an event id, JSON, and an id of at most 200 characters',
  reply_too_large: 'the reply is too large: send a link',
  unknown_event: 'the host has no such event',
  reply_refused: 'the host refused the reply',
  too_many_replies: 'await some replies first',
  closed: 'the client is closed; the host may have the reply',
};

/** A fault of a client, its connection, its handler or a reply. No message holds the key, or an event but its id. */
export class ClientError extends HeadgateError<ClientErrorCode> {
  override readonly name = 'ClientError';
}

/** Whether a text is a code. */
export const isCode = (code: string): code is ClientErrorCode => Object.hasOwn(MESSAGES, code);

/**
 * An error with the message of its code.
 *
 * @param more - Further text of the host or the runtime.
 */
export const clientError = (code: ClientErrorCode, more = '', cause?: unknown): ClientError =>
  new ClientError(code, MESSAGES[code] + (more && ` (${more})`), cause === undefined ? {} : { cause });
