/** Credentials of the service in what callers send. They must never be stored or shown to readers of a project. */
import { containsKey } from './key-format.js';

/** Whether a text, such as the value of a header, holds a credential of the service. */
export type HoldsCredential = (text: string) => boolean;

/** Headers that carry credentials, the sender's own among them. */
const AUTHORIZATION = /^(?:proxy-)?authorization$/i;
const BASIC = /basic +([\w+/-]+)/gi;

export const isAuthorization = (name: string): boolean => AUTHORIZATION.test(name);

/**
 * Finds the keys that the service made, and the operator's key, also in base64 as Basic authentication spells them.
 *
 * @param operatorKey - From the environment: of any form. Null if there is none.
 */
export function credentialFinder(operatorKey: string | null): HoldsCredential {
  const operator = operatorKey === null ? [] : [operatorKey, encodeURIComponent(operatorKey)];
  const isIn = (text: string): boolean => containsKey(text) || operator.some((key) => text.includes(key));
  return (text) =>
    isIn(text) ||
    [...text.matchAll(BASIC)].some(([, encoded = '']) => isIn(Buffer.from(encoded, 'base64').toString()));
}
