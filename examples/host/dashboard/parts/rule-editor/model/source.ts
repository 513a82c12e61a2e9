/** Where each value of a JSON text stands: a flat list of nodes, so that no depth overflows the stack. */
import { parseJson } from 'headgate/slim';
import { findPages, type ValuePage } from './value-pages.js';

/** A value in a text. */
export interface SourceNode {
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  /** UTF-16 units before it. */
  readonly start: number;
  readonly end: number;
  /** Its place in the list of nodes; -1 for the root. */
  readonly parent: number;
  /** Name of the member, index of the element, or an empty text for the root. */
  readonly key: string | number;
  /** Where the name of the member begins, with its quote; where the value begins for all others. */
  readonly keyStart: number;
  /** Places in the list of nodes, in the order of the text; none for a long list of plain values, which has pages instead. */
  readonly children: readonly number[];
  /** The values of a long list; they are no nodes of their own. */
  readonly pages?: readonly ValuePage[];
}

/** A text that is JSON, with its nodes. */
export interface Source {
  readonly text: string;
  /** Each parent comes before its children. */
  readonly nodes: readonly SourceNode[];
}

/** The parts of JSON that matter here; white space, commas and colons lie between them. */
const TOKEN = /[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"|[-\d][-+.\deE]*|true|false|null/g;

const TYPES: Readonly<Record<string, SourceNode['type']>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type OpenNode = Writable<SourceNode> & { children: number[] };

/**
 * Reads a text. Takes linear time.
 *
 * @throws JsonError for text that is not JSON.
 */
export function readSource(text: string): Source {
  parseJson(text);
  return scanSource(text);
}

/** Reads a text that is known to be JSON. */
export function scanSource(text: string): Source {
  const nodes: OpenNode[] = [];
  const tokens = new RegExp(TOKEN);
  let at = -1;
  let name: RegExpExecArray | null = null;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [word] = token;
    const container = nodes[at];
    if (word === '}' || word === ']') {
      container!.end = token.index + 1;
      at = container!.parent;
    } else if (container?.type === 'object' && name === null) {
      name = token;
    } else {
      const type = TYPES[word[0]!] ?? 'number';
      const key = name === null ? (container?.children.length ?? '') : (JSON.parse(name[0]) as string);
      const [start, keyStart] = [token.index, name?.index ?? token.index];
      container?.children.push(nodes.length);
      const list = type === 'array' ? findPages(text, start + 1) : null;
      const end = list?.end ?? start + word.length;
      const pages = list === null ? {} : { pages: list.pages };
      nodes.push({ type, start, end, parent: at, key, keyStart, children: [], ...pages });
      if (list !== null) tokens.lastIndex = list.end;
      else if (type === 'object' || type === 'array') at = nodes.length - 1;
      name = null;
    }
  }
  return { text, nodes };
}

/** The text of a value. */
export const sliceOf = ({ text }: Source, { start, end }: SourceNode): string => text.slice(start, end);

/** A value that holds no others, or one that is known to be shallow. */
export const valueOf = (source: Source, node: SourceNode): unknown =>
  JSON.parse(sliceOf(source, node)) as unknown;

/** The children of a node. */
export const childrenOf = (source: Source, node: SourceNode): readonly SourceNode[] =>
  node.pages === undefined
    ? node.children.map((child) => source.nodes[child]!)
    : valuesInPages(source, node, node.pages);

const valueNodes = new WeakMap<SourceNode, readonly SourceNode[]>();

/** The values of a long list as nodes. */
function valuesInPages(
  { text, nodes }: Source,
  list: SourceNode,
  pages: readonly ValuePage[],
): readonly SourceNode[] {
  const known = valueNodes.get(list);
  if (known !== undefined) return known;
  const parent = nodes.indexOf(list);
  let end = list.start + 1;
  const found = pages.flat().map((value, key): SourceNode => {
    const start = text.indexOf(value, end);
    end = start + value.length;
    const type = TYPES[value[0]!] ?? 'number';
    return { type, start, end, parent, key, keyStart: start, children: [] };
  });
  valueNodes.set(list, found);
  return found;
}

/** The members of an object by name; of a name that comes twice the last one, as `JSON.parse` reads it. */
export const membersOf = (source: Source, node: SourceNode): ReadonlyMap<string, SourceNode> =>
  new Map(childrenOf(source, node).map((child) => [String(child.key), child]));

/** The names of an object that come more than once. */
export function repeatedNames(source: Source, node: SourceNode): string[] {
  if (node.type !== 'object') return [];
  const seen = new Set<string>();
  const names = childrenOf(source, node).map(({ key }) => String(key));
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))];
}

/** The value that an RFC 6901 pointer leads to, or the innermost one on the way that exists. */
export function nodeAt(
  source: Source,
  pointer: string,
): { readonly node: SourceNode; readonly isExact: boolean } {
  let node = source.nodes[0]!;
  for (const token of pointer.split('/').slice(1)) {
    const next = childBy(source, node, token.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (next === undefined) return { node, isExact: false };
    node = next;
  }
  return { node, isExact: true };
}

function childBy(source: Source, node: SourceNode, key: string): SourceNode | undefined {
  if (node.type === 'object') return membersOf(source, node).get(key);
  return /^\d+$/.test(key) ? childrenOf(source, node)[Number(key)] : undefined;
}
