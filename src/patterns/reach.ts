/** The reach of a search: how far past the start of a match an engine may have read. */
import { anything, holds, isSubset, union, widthAt, widthBefore, type CodePoints } from './code-points.js';
import { foldCase } from './escapes.js';
import type { Character, CharacterClass, Node } from './tree.js';

/**
 * An upper bound on what any engine reads. A search ends when its last candidate match fails. A character that occurs
 * in no unbounded repetition can be taken by a candidate at most once for each position of the pattern that takes it.
 */
export interface Reach {
  /**
   * @param text - Well-formed subject.
   * @param start - The start of the match.
   * @returns An index at or after the end of all that was read.
   */
  end(text: string, start: number): number;
  /**
   * The first start, at `from` or later, of a candidate that may read past `end`; `end` itself if no candidate does.
   *
   * @param end - An index between characters.
   */
  alive(text: string, from: number, end: number): number;
}

/** The reach of a pattern, from its tree. */
export function reachOf(tree: Node): Reach {
  const loops = union(...charactersOf(tree, false));
  const positions = positionsOutside(tree, loops);
  if (isSubset(anything, loops)) return { end: (text) => text.length, alive: (_, from) => from };
  const ascii = Array.from({ length: 128 }, (_, point) => holds(loops, point));
  const isLooped = (text: string, at: number): boolean => {
    const unit = text.charCodeAt(at);
    return unit < 128 ? (ascii[unit] as boolean) : holds(loops, text.codePointAt(at) as number);
  };
  return {
    end(text, start) {
      let left = positions;
      for (let at = start; at < text.length; at += widthAt(text, at)) {
        if (!isLooped(text, at) && left-- === 0) return at + widthAt(text, at);
      }
      return text.length;
    },
    alive(text, from, end) {
      let left = positions;
      for (let next = end, at; next > from; next = at) {
        at = next - widthBefore(text, next);
        if (!isLooped(text, at) && left-- === 0) return next;
      }
      return from;
    },
  };
}

/** The sets of characters inside unbounded repetitions. */
function charactersOf(node: Node, inLoop: boolean): readonly CodePoints[] {
  switch (node.kind) {
    case 'character':
    case 'class':
      return inLoop ? [setOf(node)] : [];
    case 'group':
      return charactersOf(node.node, inLoop);
    case 'repeat':
      return charactersOf(node.node, inLoop || node.max === Infinity);
    case 'sequence':
    case 'choice':
      return node.nodes.flatMap((part) => charactersOf(part, inLoop));
    default:
      return [];
  }
}

function setOf(node: Character | CharacterClass): CodePoints {
  if (node.kind === 'class') return node.members ?? anything;
  return (node.fold ? foldCase([node.point, node.point]) : [node.point, node.point]) ?? anything;
}

/** How many positions take a character outside of a set; repeated ones count as often as they are repeated. */
function positionsOutside(node: Node, loops: CodePoints): number {
  switch (node.kind) {
    case 'character':
    case 'class':
      return isSubset(union(setOf(node)), loops) ? 0 : 1;
    case 'group':
      return positionsOutside(node.node, loops);
    case 'repeat':
      return node.max === Infinity ? 0 : node.max * positionsOutside(node.node, loops);
    case 'sequence':
    case 'choice':
      return node.nodes.reduce((positions, part) => positions + positionsOutside(part, loops), 0);
    default:
      return 0;
  }
}
