/** The bytes that are POSTed and signed. */
import { stringify } from '../json-text.js';

const utf8 = new TextEncoder();

/**
 * The Event JSON: every field of the projected event but `raw_payload`. The verbatim envelope stays at home, or what a
 * rule redacted from `data` would travel beside it.
 *
 * @param event - The projected event, of any depth.
 * @returns UTF-8.
 * @throws TypeError for what JSON cannot say: a cycle or a BigInt.
 * @see docs/delivery.md
 */
export function eventBody(event: object): Uint8Array {
  return utf8.encode(stringify({ ...event, raw_payload: undefined }));
}
