/** Prints a syntax tree as plain RE2 syntax that every engine reads alike. */
import { printPoint } from './classes.js';
import { isNullable, type Assertion, type Node, type Repeat } from './tree.js';

const assertions: Readonly<Record<Assertion['at'], string>> = {
  'text-start': '\\A',
  'text-end': '\\z',
  'line-start': '(?m:^)',
  'line-end': '(?m:$)',
  'word-boundary': '\\b',
  'no-word-boundary': '\\B',
};

/** Prints a tree. Groups keep their numbers; flags stand only in groups of their own. */
export function printPattern(node: Node): string {
  switch (node.kind) {
    case 'empty':
      return '(?:)';
    case 'character':
      return folded(printPoint(node.point), node.fold);
    case 'class':
      return folded(node.text, node.fold);
    case 'assertion':
      return assertions[node.at];
    case 'group':
      return `(${printPattern(node.node)})`;
    case 'sequence':
      return node.nodes.map((part) => (part.kind === 'choice' ? whole(part) : printPattern(part))).join('');
    case 'choice':
      return node.nodes.map(printPattern).join('|');
    case 'repeat':
      return printRepeat(node);
  }
}

const folded = (text: string, fold: boolean): string => (fold ? `(?i:${text})` : text);

const whole = (node: Node): string => `(?:${printPattern(node)})`;

function printRepeat({ node, min, max, lazy }: Repeat): string {
  // RE2 merges a loop of a loop into one, which may behave otherwise; `(?:)` between them prevents that.
  const body = node.kind === 'repeat' && isNullable(node) ? `(?:(?:)${printRepeat(node)})` : whole(node);
  const mark = lazy ? '?' : '';
  // In an old RE2 the loop prefers another round to the empty match that its body prefers; as a choice it does not.
  if (min === 0 && max > 0 && isNullable(node)) {
    const some = max === 1 ? body : body + operator(1, max) + mark;
    return lazy ? `(?:|${some})` : `(?:${some}|)`;
  }
  return body + operator(min, max) + mark;
}

function operator(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}
