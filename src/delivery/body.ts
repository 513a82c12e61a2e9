/** The bytes that are POSTed and signed. */
import { stringifyJson } from '../json-text.js';

const UTF8 = new TextEncoder();

/**
 * The Event JSON: every field of the projected event except `raw_payload`, which still holds what rules redacted from
 * `data`.
 *
 * @param event - The projected event, of any depth.
 * @returns UTF-8.
 * @throws TypeError for a cycle or a BigInt, which JSON cannot hold.
 * @see docs/delivery.md
 */
export function eventBody(event: object): Uint8Array {
  return UTF8.encode(stringifyJson({ ...event, raw_payload: undefined }));
}
