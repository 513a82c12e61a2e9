/** The error class of receivers. */
import { HeadgateError } from '../errors.js';
import { SignatureError } from '../signing/signature-error.js';

/**
 * Codes of {@link ReceiverError}. docs/errors.md has causes and cures.
 *
 * - `body_too_large`: the body has more than `maxBytes`. Answered with 413.
 * - `body_compressed`: the body has a content coding, so its bytes are not those that were signed. Answered with 400.
 * - `invalid_json`, `invalid_event`: the delivery is genuine; its body is not an event, or the schema refuses it.
 *   Answered with 400.
 * - `method_not_allowed`: the request is not a POST. Answered with 405.
 * - `body_parsed`, `body_taken`: other code has read the body, and kept no raw bytes. Answered with 503.
 * - `wrong_request`: the function got a request of another kind: `receiver.fetch` one of node:http, or `receiver.node`
 *   one of fetch. Answered with 503.
 * - `body_incomplete`: the request ended before its body did. Answered with 400, if anybody still listens.
 * - `in_progress`: an earlier request is still being handled. Answered with 503, so that it comes again.
 * - `handler_failed`, `seen_failed`, `secrets_failed`: the handler, the store of seen keys or the source of the secrets
 *   failed; `cause` is its error. Answered with 503.
 */
export type ReceiverErrorCode =
  | 'body_too_large'
  | 'body_compressed'
  | 'invalid_json'
  | 'invalid_event'
  | 'method_not_allowed'
  | 'body_parsed'
  | 'body_taken'
  | 'wrong_request'
  | 'body_incomplete'
  | 'in_progress'
  | 'handler_failed'
  | 'seen_failed'
  | 'secrets_failed';

/** The status of the answer to each. Whatever the receiver could fix in time is 503, so that the sender tries again. */
const STATUSES = {
  body_too_large: 413,
  body_compressed: 400,
  invalid_json: 400,
  invalid_event: 400,
  method_not_allowed: 405,
  body_parsed: 503,
  body_taken: 503,
  wrong_request: 503,
  body_incomplete: 400,
  in_progress: 503,
  handler_failed: 503,
  seen_failed: 503,
  secrets_failed: 503,
} as const satisfies Readonly<Record<ReceiverErrorCode, number>>;

/** A delivery that was not handled. No message holds a secret, a signature or a body. */
export class ReceiverError extends HeadgateError<ReceiverErrorCode> {
  override readonly name = 'ReceiverError';
}

/** The status that answers an error: 400 for a refused signature, 503 for secrets and stores that cannot work. */
export const statusOf = (error: HeadgateError): number =>
  error instanceof SignatureError ? 400 : error instanceof ReceiverError ? STATUSES[error.code] : 503;
