/** The error for a delivery that must not be trusted. */
import { HeadgateError } from '../errors.js';

/**
 * Why a delivery was refused: the first reason that applies, in this order. See docs/signing.md for causes and cures.
 *
 * - `missing_header`: there is no signature header.
 * - `malformed_header`: the signature header is not one `t=` of 1 to 12 digits and at least one `v1=`, or the
 *   origin header is neither `live` nor `replay`.
 * - `timestamp_mismatch`: the timestamp header is present and differs from `t`.
 * - `timestamp_too_old`, `timestamp_in_future`: `t` is outside of the receiver's tolerance.
 * - `signature_mismatch`: no `v1` was made with one of the secrets over this body and `t`.
 */
export type SignatureErrorCode =
  | 'missing_header'
  | 'malformed_header'
  | 'timestamp_mismatch'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'signature_mismatch';

/** Thrown for a delivery that must not be trusted. Answer the request with a 4xx and do nothing else. */
export class SignatureError extends HeadgateError<SignatureErrorCode> {
  override readonly name = 'SignatureError';
}
