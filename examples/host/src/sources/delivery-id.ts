/** The id of a delivery, which providers put into a header, or into the body. */
import { JsonError, parseJson } from 'headgate';
import { singleHeader } from '../http/headers.js';
import type { Source } from './source.js';

/**
 * Reads the id from the first of these headers that was sent exactly once.
 *
 * @param names - In lower case.
 */
export const idInHeader =
  (names: readonly string[], { isSigned }: { readonly isSigned: boolean }): Source['deliveryId'] =>
  ({ headers }) => {
    const id = names.map((name) => singleHeader(headers, name)).find((value) => value !== null);
    return id === undefined ? null : { id, isSigned, isInBody: false };
  };

/** Reads the id from a member of the body, which all of these providers sign. */
export const idInBody =
  (member: string): Source['deliveryId'] =>
  ({ body }) => {
    const id = bodyMembers(body)[member];
    return typeof id === 'string' ? { id, isSigned: true, isInBody: true } : null;
  };

/** The members of a body that is a JSON object; none of any other body. */
export function bodyMembers(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return Object(parseJson(new TextDecoder().decode(body))) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof JsonError) return {};
    throw error;
  }
}
