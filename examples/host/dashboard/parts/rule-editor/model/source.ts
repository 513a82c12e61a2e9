/** The position of each value of a JSON text, as a flat list of nodes, so that no depth overflows the stack. */
import { JsonTokens } from 'headgate/slim';
import { MOST_UNPAGED, pagesOf, type ValuePage } from './value-pages.js';

/** A value in a text. */
export interface SourceNode {
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  /** UTF-16 units before it. */
  readonly start: number;
  readonly end: number;
  /** Its index in the list of nodes; -1 for the root. */
  readonly parent: number;
  /** Name of the member, index of the element, or an empty text for the root. */
  readonly key: string | number;
  /** The position at which the name of the member begins, with its quote; at which the value begins for all others. */
  readonly keyStart: number;
  /**
   * Indices in the list of nodes, in the order of the text; none for a long list of plain values, which has pages
   * instead.
   */
  readonly children: readonly number[];
  /** The values of a long list; they are not nodes of their own. */
  readonly pages?: readonly ValuePage[];
}

/** A text that is JSON, with its nodes. */
export interface Source {
  readonly text: string;
  /** Each parent comes before its children. */
  readonly nodes: readonly SourceNode[];
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type OpenNode = Writable<SourceNode>;

const NO_CHILDREN: readonly number[] = [];

/**
 * Reads a text. Takes linear time.
 *
 * @throws JsonError for text that is not JSON.
 */
export function readSource(text: string): Source {
  const nodes: OpenNode[] = [];
  const tokens = new JsonTokens(text);
  /** The index of the innermost open container; -1 if no container is open. */
  let at = -1;
  /**
   * Starts and ends of the values so far in an array that has had no container yet: a long list of them is kept in
   * pages.
   */
  let plain: number[] | null = null;
  let name: { readonly key: string; readonly start: number } | null = null;
  const add = (start: number, end: number): void => {
    const type = typeOf(text[start]!);
    const siblings = nodes[at]?.children as number[] | undefined;
    const key = name?.key ?? siblings?.length ?? '';
    siblings?.push(nodes.length);
    const isContainer = type === 'object' || type === 'array';
    const children = isContainer ? [] : NO_CHILDREN;
    nodes.push({ type, start, end, parent: at, key, keyStart: name?.start ?? start, children });
    if (isContainer) at = nodes.length - 1;
    name = null;
  };
  const addPlain = (isWhole: boolean): void => {
    const ends = plain ?? [];
    plain = null;
    if (isWhole && ends.length > 2 * MOST_UNPAGED) nodes[at]!.pages = pagesOf(textsOf(text, ends));
    else for (let i = 0; i < ends.length; i += 2) add(ends[i]!, ends[i + 1]!);
  };
  for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
    const { start, end } = tokens;
    switch (token) {
      case 'name':
        name = { key: tokens.string(), start };
        break;
      case '{':
      case '[':
        addPlain(false);
        add(start, end);
        plain = token === '[' ? [] : null;
        break;
      case '}':
      case ']':
        addPlain(true);
        nodes[at]!.end = end;
        at = nodes[at]!.parent;
        break;
      default:
        if (plain === null) add(start, end);
        else plain.push(start, end);
    }
  }
  return { text, nodes };
}

function textsOf(text: string, ends: readonly number[]): string[] {
  const texts: string[] = [];
  for (let i = 0; i < ends.length; i += 2) texts.push(text.slice(ends[i], ends[i + 1]));
  return texts;
}

const TYPES: Readonly<Record<string, SourceNode['type']>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/** The type of a value by its first character. */
const typeOf = (first: string): SourceNode['type'] => TYPES[first] ?? 'number';

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
    return { type: typeOf(value[0]!), start, end, parent, key, keyStart: start, children: NO_CHILDREN };
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
