/** Numbers of a JSON text that a double does not hold to the last digit. Pure, and without recursion. */
import { JsonTokens } from 'headgate/slim';

/** A container that is open: the name of the member, or the index of the element, that comes next. */
interface Frame {
  next: string | number;
}

/**
 * The numbers as they were written, by their RFC 6901 pointers.
 *
 * @param text - JSON.
 */
export function exactDigits(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const frames: Frame[] = [];
  const tokens = new JsonTokens(text);
  for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
    if (token === 'name') {
      frames.at(-1)!.next = tokens.string();
    } else if (token === '{' || token === '[') {
      frames.push({ next: token === '[' ? 0 : '' });
    } else {
      if (token === '}' || token === ']') frames.pop();
      const written = token === 'number' ? text.slice(tokens.start, tokens.end) : null;
      if (written !== null && !isExact(written)) found.set(pointerOf(frames), written);
      const frame = frames.at(-1);
      if (typeof frame?.next === 'number') frame.next++;
    }
  }
  return found;
}

const pointerOf = (frames: readonly Frame[]): string =>
  frames.map(({ next }) => `/${String(next).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The digits at and below a pointer, by their pointers from there. */
export const digitsBelow = (
  digits: ReadonlyMap<string, string>,
  pointer: string,
): ReadonlyMap<string, string> =>
  new Map(
    [...digits]
      .filter(([at]) => at === pointer || at.startsWith(`${pointer}/`))
      .map(([at, written]) => [at.slice(pointer.length), written]),
  );

/** Whether a double holds the number as it is written, digit by digit. */
export const isExact = (written: string): boolean =>
  significant(written) === significant(String(Number(written)));

/** The digits that count, without those that only move the point. */
const significant = (number: string): string =>
  (/^-?([\d.]*)/.exec(number)?.[1] ?? '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
