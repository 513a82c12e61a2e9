/**
 * How the envelope of a request is stored. A JSON body is in `data` letter by letter, so it is not stored again: the
 * envelope then has `null` for its body, which otherwise is a text.
 */

/** Ends an envelope whose body is in `data`. */
const BODY_IN_DATA = '"body":null}';
/** The text before and after the body in `data`. */
const [BEFORE, AFTER] = ['{"body":', '}'] as const;

/** The text of `data` for a body that is JSON. */
export const dataOfJson = (body: string): string => `${BEFORE}${body}${AFTER}`;

/**
 * The whole envelope, as JSON.
 *
 * @param stored - As JSON, with its body last.
 * @param data - The data of the same event, as persisted.
 */
export function wholeRequest(stored: string, data: string): string {
  if (!stored.endsWith(BODY_IN_DATA)) return stored;
  const body = data.slice(BEFORE.length, -AFTER.length);
  return `${stored.slice(0, -'null}'.length)}${JSON.stringify(body)}}`;
}
