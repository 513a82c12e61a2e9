/** Texts that repeat what a caller sent, cut to a length that people read. */

/** Most UTF-16 units of a message, a pointer or a name in an answer. */
export const MOST_TEXT = 500;

/** The text itself, or its beginning and an ellipsis; at most `most` UTF-16 units, and no half of a character. */
export const shortened = (text: string, most = MOST_TEXT): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** One thing that is wrong, as it is reported to the caller. */
interface Told {
  readonly code: string;
  readonly pointer: string;
  readonly message: string;
}

/** Codes of issues about a name that does not exist. */
const OF_NAMES: ReadonlySet<string> = new Set(['unknown_key', 'unknown_member']);
/** Most UTF-8 bytes of such names in an answer. */
const MOST_NAME_BYTES = 4_096;
/** Most UTF-16 units of a pointer or a message with such a name, so that the first of them always fits. */
const MOST_NAME = 400;

/**
 * The issues with short texts, without those about names for which there is no room.
 *
 * @param detail - The sentence of the answer, which may have names, too.
 */
export function shortIssues<Issue extends Told>(issues: readonly Issue[], detail = ''): readonly Issue[] {
  let room = MOST_NAME_BYTES - Buffer.byteLength(detail);
  return issues.flatMap((issue) => {
    const isOfName = OF_NAMES.has(issue.code);
    const most = isOfName ? MOST_NAME : MOST_TEXT;
    const short = {
      ...issue,
      pointer: shortened(issue.pointer, most),
      message: shortened(issue.message, most),
    };
    if (isOfName) room -= nameBytes(short);
    return isOfName && room < 0 ? [] : [short];
  });
}

/** The name ends the pointer and is in the message; a message about members has all of their names. */
const nameBytes = ({ code, pointer, message }: Told): number =>
  code === 'unknown_member'
    ? Buffer.byteLength(message)
    : 2 * Buffer.byteLength(pointer.slice(pointer.lastIndexOf('/') + 1));

/** The items of a list that an answer has room for. */
export interface Fitting<Item> {
  readonly items: readonly Item[];
  /** Items that the answer leaves out. */
  readonly leftOut: number;
}

/** The first items of a list whose JSON has at most a number of UTF-16 units together; at least one. */
export function fitting<Item extends object>(
  all: readonly Item[],
  { items: mostItems, units: mostUnits }: { readonly items: number; readonly units: number },
): Fitting<Item> {
  let units = 0;
  const end = all.slice(0, mostItems).findIndex((item, i) => {
    units += JSON.stringify(item).length;
    return units > mostUnits && i > 0;
  });
  const items = all.slice(0, end < 0 ? mostItems : end);
  return { items, leftOut: all.length - items.length };
}
