/** Texts that match a pattern. */
import { holds } from '../../patterns/code-points.js';
import { parseSyntax } from '../../patterns/syntax.js';
import type { CharacterClass, Node, Repeat } from '../../patterns/tree.js';
import type { Choices } from './choices.js';

/** A text that matches the pattern, unless an assertion or a class that only the engine knows prevents it. */
export function textFor(pattern: string, choices: Choices): string {
  const syntax = parseSyntax(pattern);
  return typeof syntax === 'string' ? '' : sample(syntax.tree, choices, 3);
}

/** @param spread - From how many numbers of repetitions a repeat may choose. */
function sample(node: Node, choices: Choices, spread: number): string {
  switch (node.kind) {
    case 'empty':
    case 'assertion':
      return '';
    case 'character':
      return String.fromCodePoint(node.point);
    case 'class':
      return memberOf(node, choices);
    case 'group':
      return sample(node.node, choices, spread);
    case 'sequence':
      return node.nodes.map((part) => sample(part, choices, spread)).join('');
    case 'choice':
      return sample(choices.of(node.nodes) as Node, choices, spread);
    case 'repeat':
      return repeated(node, choices, spread);
  }
}

/** Readable members of classes. */
const READABLE = ['a', 'b', '1', 'A', '-', '😀'];

/** A readable member, or an end of one of the ranges. */
function memberOf({ members }: CharacterClass, choices: Choices): string {
  if (members === null || members.length === 0) return 'a';
  const known = READABLE.filter((character) => holds(members, character.codePointAt(0) as number));
  const ends = known.length < 2 || choices.below(4) === 3;
  return ends ? String.fromCodePoint(choices.of(members) as number) : (choices.of(known) as string);
}

/** Repeats within repeats go round as few times as they may, or texts would grow without bound. */
function repeated({ node, min, max }: Repeat, choices: Choices, spread: number): string {
  const rounds = min + choices.below(Math.min(max - min + 1, spread));
  return Array.from({ length: rounds }, () => sample(node, choices, 1)).join('');
}
