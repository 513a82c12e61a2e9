/** The syntax tree of a pattern. Flags are resolved into its nodes, names of groups are left out. */
import type { CodePoints } from './code-points.js';

/** Matches the empty string. */
export interface Empty {
  readonly kind: 'empty';
}

/** One character. */
export interface Character {
  readonly kind: 'character';
  readonly point: number;
  /** Whether other cases of the character match too. */
  readonly fold: boolean;
}

/** One character of a set. */
export interface CharacterClass {
  readonly kind: 'class';
  /** RE2 syntax without flags. */
  readonly text: string;
  readonly fold: boolean;
  /** `null` if only the engine knows them: properties, and case folding outside ASCII. */
  readonly members: CodePoints | null;
  /** The cost of one look-up. */
  readonly weight: number;
}

/** Matches at a position and takes no character. */
export interface Assertion {
  readonly kind: 'assertion';
  readonly at: 'text-start' | 'text-end' | 'line-start' | 'line-end' | 'word-boundary' | 'no-word-boundary';
}

/** A capturing group; other groups have no node. */
export interface Group {
  readonly kind: 'group';
  readonly node: Node;
}

/** At least two nodes, one after the other. */
export interface Sequence {
  readonly kind: 'sequence';
  readonly nodes: readonly Node[];
}

/** At least two nodes, of which the first that leads to a match is taken. */
export interface Choice {
  readonly kind: 'choice';
  readonly nodes: readonly Node[];
}

/** A repetition. */
export interface Repeat {
  readonly kind: 'repeat';
  readonly node: Node;
  readonly min: number;
  /** `Infinity` without bound. */
  readonly max: number;
  /** Whether as few rounds as possible are preferred. */
  readonly lazy: boolean;
}

/** Any node. The length of a pattern bounds its depth, so functions may recurse. */
export type Node = Empty | Character | CharacterClass | Assertion | Group | Sequence | Choice | Repeat;

/** Whether the node can match the empty string. */
export function isNullable(node: Node): boolean {
  switch (node.kind) {
    case 'empty':
    case 'assertion':
      return true;
    case 'character':
    case 'class':
      return false;
    case 'group':
      return isNullable(node.node);
    case 'sequence':
      return node.nodes.every(isNullable);
    case 'choice':
      return node.nodes.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.node);
  }
}

/** The fewest characters of a match, which are also the fewest UTF-16 units. */
export function shortestMatch(node: Node): number {
  switch (node.kind) {
    case 'empty':
    case 'assertion':
      return 0;
    case 'character':
    case 'class':
      return 1;
    case 'group':
      return shortestMatch(node.node);
    case 'sequence':
      return node.nodes.reduce((length, part) => length + shortestMatch(part), 0);
    case 'choice':
      return Math.min(...node.nodes.map(shortestMatch));
    case 'repeat':
      return node.min * shortestMatch(node.node);
  }
}

/** A sequence of nodes, flattened. */
export function sequence(nodes: readonly Node[]): Node {
  const parts = nodes.flatMap((node) =>
    node.kind === 'sequence' ? node.nodes : node.kind === 'empty' ? [] : [node],
  );
  if (parts.length > 1) return { kind: 'sequence', nodes: parts };
  return parts[0] ?? { kind: 'empty' };
}

/** A repetition. As in RE2, a loop of a loop becomes one loop: `(?:a+)*` is `a*`. */
export function repeatOf(node: Node, min: number, max: number, lazy: boolean): Repeat {
  if (node.kind !== 'repeat' || node.lazy !== lazy || !isSimple(node.min, node.max) || !isSimple(min, max)) {
    return { kind: 'repeat', node, min, max, lazy };
  }
  if (node.min === min && node.max === max) return { ...node };
  return { kind: 'repeat', node: node.node, min: 0, max: Infinity, lazy };
}

/** Whether the bounds are those of `*`, `+` or `?`. */
function isSimple(min: number, max: number): boolean {
  return max === Infinity ? min <= 1 : min === 0 && max === 1;
}
