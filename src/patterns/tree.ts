/** A pattern as a syntax tree: flags resolved, names gone. */
import type { CodePoints } from './code-points.js';

/** Nothing: matches the empty string. */
export interface Empty {
  readonly kind: 'empty';
}

/** One character. */
export interface Character {
  readonly kind: 'character';
  readonly point: number;
  /** Under `(?i)`, and the character may have another case. */
  readonly fold: boolean;
}

/** One character out of a set. */
export interface CharacterClass {
  readonly kind: 'class';
  /** RE2 syntax without flags. */
  readonly text: string;
  readonly fold: boolean;
  /** `null` where only the engine knows: properties, and folding outside ASCII. */
  readonly members: CodePoints | null;
  /** What one look-up costs. */
  readonly weight: number;
}

/** A place rather than a character. */
export interface Assertion {
  readonly kind: 'assertion';
  readonly at: 'text-start' | 'text-end' | 'line-start' | 'line-end' | 'word-boundary' | 'no-word-boundary';
}

/** A capturing group; what does not capture leaves no node. */
export interface Group {
  readonly kind: 'group';
  readonly node: Node;
}

/** One after the other; at least two. */
export interface Sequence {
  readonly kind: 'sequence';
  readonly nodes: readonly Node[];
}

/** One of several, the first that leads to a match; at least two. */
export interface Choice {
  readonly kind: 'choice';
  readonly nodes: readonly Node[];
}

/** Again and again. */
export interface Repeat {
  readonly kind: 'repeat';
  readonly node: Node;
  readonly min: number;
  /** `Infinity` without bound. */
  readonly max: number;
  /** As few as possible. */
  readonly lazy: boolean;
}

/** Any node. Nesting is bounded by the length of a pattern, so walks may recurse. */
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

/** Characters that every match of the node has at least, and so UTF-16 units. */
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

/** Nodes one after the other, as flat as can be. */
export function sequence(nodes: readonly Node[]): Node {
  const parts = nodes.flatMap((node) =>
    node.kind === 'sequence' ? node.nodes : node.kind === 'empty' ? [] : [node],
  );
  if (parts.length > 1) return { kind: 'sequence', nodes: parts };
  return parts[0] ?? { kind: 'empty' };
}

/** A repetition. As in RE2 a loop of a loop is one loop: `(?:a+)*` is `a*`. */
export function repeatOf(node: Node, min: number, max: number, lazy: boolean): Repeat {
  if (node.kind !== 'repeat' || node.lazy !== lazy || !isSimple(node.min, node.max) || !isSimple(min, max)) {
    return { kind: 'repeat', node, min, max, lazy };
  }
  if (node.min === min && node.max === max) return { ...node };
  return { kind: 'repeat', node: node.node, min: 0, max: Infinity, lazy };
}

/** `*`, `+` or `?`. */
function isSimple(min: number, max: number): boolean {
  return max === Infinity ? min <= 1 : min === 0 && max === 1;
}
