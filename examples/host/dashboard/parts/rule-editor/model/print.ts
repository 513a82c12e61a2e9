/** Prints JSON for people: short objects and lists on one line, long ones a member a line. */
import { readSource, sliceOf, type Source, type SourceNode } from './source.js';
import type { ValuePage } from './value-pages.js';

/** Columns that a line has at most, where its text allows. */
const WIDTH = 90;
/** Deeper containers are printed on one line: their indentation alone would take a page. */
const MAX_DEPTH = 60;

/** A piece of the output that is still to be printed. */
type Task = string | { readonly node: number; readonly depth: number; readonly column: number };

/**
 * The same JSON in another layout: numbers and texts stay letter by letter, members stay in their order.
 *
 * @param text - JSON.
 */
export function pretty(text: string): string {
  const source = readSource(text);
  const lengths = lengthsOf(source);
  const out: string[] = [];
  const tasks: Task[] = [{ node: 0, depth: 0, column: 0 }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if (typeof task === 'string') out.push(task);
    else {
      // One by one: a call with as many arguments as a list has values would overflow the stack.
      for (const piece of piecesOf(source, task, lengths).reverse()) tasks.push(piece);
    }
  }
  return out.join('');
}

function piecesOf(
  source: Source,
  { node: at, depth, column }: Exclude<Task, string>,
  lengths: readonly number[],
): Task[] {
  const node = source.nodes[at]!;
  if (node.pages !== undefined) return [pagesAsLines(node.pages, depth)];
  if (node.children.length === 0) {
    return [isContainer(node) ? brackets(node).join('') : sliceOf(source, node)];
  }
  const [open, close] = brackets(node);
  const isFlat = depth >= MAX_DEPTH || column + lengths[at]! <= WIDTH;
  const pad = node.type === 'object' ? ' ' : '';
  const pieces = node.children.flatMap((child, i): Task[] => {
    const name = nameOf(source, source.nodes[child]!);
    const before = isFlat ? (i === 0 ? pad : ', ') : `${i === 0 ? '' : ','}${line(depth + 1)}`;
    const below = { node: child, depth: isFlat ? MAX_DEPTH : depth + 1, column: 2 * depth + 2 + name.length };
    return [before + name, below];
  });
  return [open, ...pieces, (isFlat ? pad : line(depth)) + close];
}

const line = (depth: number): string => `\n${'  '.repeat(depth)}`;

/** A long list, a value a line. */
function pagesAsLines(pages: readonly ValuePage[], depth: number): string {
  if (depth >= MAX_DEPTH) return `[${pages.flat().join(', ')}]`;
  return `[${line(depth + 1)}${pages.flat().join(`,${line(depth + 1)}`)}${line(depth)}]`;
}

/** The length of each node on one line. */
function lengthsOf(source: Source): number[] {
  const lengths = source.nodes.map(({ start, end }) => end - start);
  for (let at = lengths.length - 1; at >= 0; at--) {
    const node = source.nodes[at]!;
    if (!isContainer(node) || node.pages !== undefined) continue;
    const inner = node.children.map(
      (child) => lengths[child]! + nameOf(source, source.nodes[child]!).length + 2,
    );
    lengths[at] = inner.reduce((sum, length) => sum + length, node.type === 'object' ? 2 : 0);
  }
  return lengths;
}

const isContainer = ({ type }: SourceNode): boolean => type === 'object' || type === 'array';
const brackets = ({ type }: SourceNode): readonly [string, string] =>
  type === 'object' ? ['{', '}'] : ['[', ']'];

/** The name of a member as the text has it, with its colon; empty for an element and the root. */
function nameOf({ text }: Source, { key, parent, keyStart, start }: SourceNode): string {
  if (typeof key === 'number' || parent === -1) return '';
  return `${text.slice(keyStart, start).replace(/\s*:\s*$/, '')}: `;
}
