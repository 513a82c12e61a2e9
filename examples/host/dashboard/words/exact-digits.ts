/** Numbers of a JSON text that a double does not hold to the last digit. Pure, and without recursion. */

/** The parts of JSON that matter here. */
const TOKEN = /[{}[\],]|"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[-+.\deE]*/g;

/** A container that is open, with the place in it. */
interface Frame {
  readonly isArray: boolean;
  /** Name of the member, or index of the element. */
  at: string | number;
}

/**
 * The numbers as they were written, by their RFC 6901 pointers.
 *
 * @param text - JSON.
 */
export function exactDigits(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const frames: Frame[] = [];
  let isName = false;
  for (const [word] of text.matchAll(TOKEN)) {
    const frame = frames.at(-1);
    if (word === '{' || word === '[') {
      frames.push({ isArray: word === '[', at: 0 });
      isName = word === '{';
    } else if (word === '}' || word === ']') {
      frames.pop();
      isName = false;
    } else if (word === ',') {
      isName = frame?.isArray === false;
      if (frame?.isArray === true) frame.at = Number(frame.at) + 1;
    } else if (isName && frame !== undefined) {
      frame.at = JSON.parse(word) as string;
      isName = false;
    } else if (!word.startsWith('"') && !isExact(word)) {
      found.set(pointerOf(frames), word);
    }
  }
  return found;
}

const pointerOf = (frames: readonly Frame[]): string =>
  frames.map(({ at }) => `/${String(at).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Those at and below a place, by their pointers from there. */
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
