/** The error of a delivery that cannot be trusted. */
import { HeadgateError } from '../errors.js';

/**
 * Why a delivery was refused. The first that applies, in this order; see docs/signing.md for causes and cures.
 *
 * - `missing_header`: there is no signature header.
 * - `malformed_header`: the signature header is not one `t=` of 1 to 12 digits and at least one `v1=`, or the
 *   origin header is neither `live` nor `replay`.
 * - `timestamp_mismatch`: the timestamp header is there and says something else than `t`.
 * - `timestamp_too_old`, `timestamp_in_future`: `t` is outside of what the receiver tolerates.
 * - `signature_mismatch`: no `v1` was made with one of the secrets over this body and `t`.
 */
export type SignatureErrorCode =
  | 'missing_header'
  | 'malformed_header'
  | 'timestamp_mismatch'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'signature_mismatch';

/** A delivery that must not be trusted. Answer it with a 4xx and do nothing else. */
export class SignatureError extends HeadgateError<SignatureErrorCode> {
  override readonly name = 'SignatureError';
}
