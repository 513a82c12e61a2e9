/**
 * Heads: the sets of the first characters of matches, one by one.
 *
 * A check of the heads at a position is a RegExp without quantifiers, so it needs no engine and never backtracks far.
 */
import { MAX_BASIC, type CodePoints } from './code-points.js';
import { foldCase } from './escapes.js';
import type { Character, CharacterClass, Node, Repeat } from './tree.js';

/** The sets of the first characters of a match, in order. */
interface Head {
  readonly sets: readonly CodePoints[];
  /** Whether the characters after these are unknown. */
  readonly isClosed: boolean;
}

/** The most heads of a pattern, and the most characters of each. */
const MAX_HEADS = 64;
const MAX_CHARACTERS = 24;

const OPEN: Head = { sets: [], isClosed: false };
const CLOSED: Head = { sets: [], isClosed: true };

/** A check of a position at which a match may begin. */
export interface HeadCheck {
  /** The most characters that it compares. */
  readonly characters: number;
  /** False only if no match begins at the position. */
  readonly fits: (text: string, at: number) => boolean;
}

/**
 * The first characters of matches, as the source of a RegExp without quantifiers.
 *
 * @param maxCharacters - The most characters of a head that are used.
 * @returns `null` if a head has fewer than `minCharacters`.
 */
export function headSource(tree: Node, minCharacters: number, maxCharacters: number): string | null {
  const heads = headsOf(tree).map(({ sets }) => sets.slice(0, maxCharacters));
  if (heads.some((sets) => sets.length < minCharacters)) return null;
  return sourceOf(heads);
}

const sourceOf = (heads: readonly (readonly CodePoints[])[]): string =>
  heads.map((sets) => sets.map(classOf).join('')).join('|');

/** The check of a pattern's first characters. */
export function headCheckOf(tree: Node): HeadCheck {
  const heads = headsOf(tree);
  const expression = new RegExp(sourceOf(heads.map(({ sets }) => sets)), 'y');
  return {
    characters: heads.reduce((sum, { sets }) => sum + sets.length, 0),
    fits(text, at) {
      expression.lastIndex = at;
      return expression.test(text);
    },
  };
}

function headsOf(node: Node): readonly Head[] {
  switch (node.kind) {
    case 'empty':
    case 'assertion':
      return [OPEN];
    case 'character':
    case 'class':
      return [headOfOne(node)];
    case 'group':
      return headsOf(node.node);
    case 'sequence':
      return node.nodes.reduce<readonly Head[]>((heads, part) => followed(heads, part), [OPEN]);
    case 'choice': {
      const heads = node.nodes.flatMap(headsOf);
      return heads.length > MAX_HEADS ? [CLOSED] : heads;
    }
    case 'repeat':
      return headsOfRepeat(node);
  }
}

function headOfOne(node: Character | CharacterClass): Head {
  const point: CodePoints | null = node.kind === 'class' ? node.members : [node.point, node.point];
  const set = point !== null && node.fold ? foldCase(point) : point;
  return set === null || (set.at(-1) ?? Infinity) > MAX_BASIC ? CLOSED : { sets: [set], isClosed: false };
}

function headsOfRepeat({ node, min, max }: Repeat): readonly Head[] {
  let heads: readonly Head[] = [OPEN];
  for (let i = 0; i < Math.min(min, MAX_CHARACTERS); i++) heads = followed(heads, node);
  return max === min ? heads : heads.map(close);
}

const close = ({ sets }: Head): Head => ({ sets, isClosed: true });

/** Each open head, followed by each head of a node. */
function followed(heads: readonly Head[], node: Node): readonly Head[] {
  const next = headsOf(node);
  if (heads.length * next.length > MAX_HEADS) return heads.map(close);
  return heads.flatMap((head) => (head.isClosed ? [head] : next.map((tail) => joined(head, tail))));
}

function joined(head: Head, tail: Head): Head {
  const sets = [...head.sets, ...tail.sets];
  return { sets: sets.slice(0, MAX_CHARACTERS), isClosed: tail.isClosed || sets.length >= MAX_CHARACTERS };
}

const hex = (point: number): string => `\\u${point.toString(16).padStart(4, '0')}`;

function classOf(set: CodePoints): string {
  let members = '';
  for (let i = 0; i < set.length; i += 2) members += `${hex(set[i] as number)}-${hex(set[i + 1] as number)}`;
  return `[${members}]`;
}
