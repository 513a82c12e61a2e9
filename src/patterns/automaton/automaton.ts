/** Runs the automaton of a small pattern over a text: a few operations on one word for each character. */
import { widthAt } from '../code-points.js';
import type { Node } from '../tree.js';
import { EDGE, OTHER, neighbors } from './contexts.js';
import { landing, machineOf, type Machine } from './machine.js';
import { masksOf } from './masks.js';
import { words, positionsOf } from './positions.js';

/** Whether the pattern is found anywhere in a text, which is well-formed. */
export type Automaton = (text: string) => boolean;

/**
 * The automaton of a pattern that fits. Its loop copies imports and fields to constants first: reading an import for
 * each character takes longer than everything else.
 */
export function automatonOf(tree: Node): Automaton {
  const positions = positionsOf(tree, words);
  const machine = machineOf(positions);
  const masks = masksOf(positions.takes);
  const { ascii, width } = masks;
  const { entering, final, empty, shifted, looped, jumping } = machine;
  const kinds = neighbors;
  const other = OTHER;
  const isAnchored = !canEnterInside(machine);

  return (text) => {
    let live = 0;
    let before: number = EDGE;
    for (let at = 0; at < text.length; at++) {
      if (live === 0 && at > 0 && isAnchored) return false;
      const unit = text.charCodeAt(at);
      const after = unit < width ? (kinds[unit] as number) : other;
      const context = 4 * before + after;
      before = after;
      if (((empty >>> context) & 1) !== 0) return true;
      let next = entering[context] as number;
      if (live !== 0) {
        if ((live & (final[context] as number)) !== 0) return true;
        next |= ((live << 1) & shifted) | (live & looped);
        if ((live & jumping) !== 0) next |= landing(live, context, machine);
      }
      if (unit < width) live = next & (ascii[unit] as number);
      else {
        live = next & masks.other(text.codePointAt(at) as number);
        at += widthAt(text, at) - 1;
      }
    }
    const context = 4 * before + EDGE;
    return ((empty >>> context) & 1) !== 0 || (live & (final[context] as number)) !== 0;
  };
}

/** Whether a match can begin after the first character. */
const canEnterInside = ({ entering, empty }: Machine): boolean =>
  entering.some((positions, context) => positions !== 0 && context >= 4) || empty >>> 4 !== 0;
