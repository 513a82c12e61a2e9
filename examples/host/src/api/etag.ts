/** Entity tags: which version of an answer a caller has already. */
import { createHash } from 'node:crypto';

/** A strong tag of what is answered. */
export const etagOf = (content: string | Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url')}"`;

/** Whether `If-None-Match` names the tag; weak comparison, as RFC 9110 asks of it. */
export const hasTag = (given: string | null, etag: string): boolean =>
  given?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag) === true;
