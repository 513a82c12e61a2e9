/** Patterns that match a finite set of texts, anchored or not: they are searched for without an engine. */
import { stringsOf, type StringBounds } from './literals.js';
import type { PatternMatch } from './port.js';
import { indexOfText } from './text-search.js';
import { directly, type TextFinder } from './texts.js';
import type { Assertion, Node } from './tree.js';

/** Finds such a pattern in a subject. */
export interface Searcher {
  /** UTF-16 units of the longest text. */
  readonly longest: number;
  /** Whether it is found anywhere. */
  test(text: string, texts?: TextFinder): boolean;
  /** The leftmost-first match that starts at `from` or later; groups are left out. */
  readonly next: (text: string, from: number) => PatternMatch | null;
}

type Finder = Omit<Searcher, 'longest'>;

const bounds: StringBounds = { strings: 100, units: 4000, overlookAssertions: false };

/** The searcher of a pattern that is a finite set of texts, or such a set anchored at an end; `null` for any other. */
export function nativeSearcher(tree: Node): Searcher | null {
  const parts = tree.kind === 'sequence' ? [...tree.nodes] : [tree];
  const atStart = isAssertion(parts[0], 'text-start') && parts.shift() !== undefined;
  const atEnd = isAssertion(parts.at(-1), 'text-end') && parts.pop() !== undefined;
  const texts = stringsOf({ kind: 'sequence', nodes: parts }, bounds);
  if (texts === null || texts.length === 0) return null;
  const longest = Math.max(...texts.map((text) => text.length));
  return { longest, ...finderOf(texts, atStart, atEnd) };
}

function finderOf(texts: readonly string[], atStart: boolean, atEnd: boolean): Finder {
  if (atStart) return atStartSearcher(texts, atEnd);
  if (atEnd) return atEndSearcher(texts);
  return texts.length === 1 ? textSearcher(texts[0] as string) : setSearcher(texts);
}

function isAssertion(node: Node | undefined, at: Assertion['at']): boolean {
  return node?.kind === 'assertion' && node.at === at;
}

function span(start: number, length: number): PatternMatch {
  return { start, end: start + length, groups: [] };
}

function textSearcher(text: string): Finder {
  return {
    test: (subject, texts = directly) => texts.has(subject, text),
    next(subject, from) {
      const start = indexOfText(subject, text, from);
      return start < 0 ? null : span(start, text.length);
    },
  };
}

function atStartSearcher(texts: readonly string[], atEnd: boolean): Finder {
  const find = (subject: string): string | undefined =>
    texts.find((text) => (atEnd ? subject === text : subject.startsWith(text)));
  return {
    test: (subject) => find(subject) !== undefined,
    next(subject, from) {
      const text = from === 0 ? find(subject) : undefined;
      return text === undefined ? null : span(0, text.length);
    },
  };
}

function atEndSearcher(texts: readonly string[]): Finder {
  const longestFirst = [...texts].sort((a, b) => b.length - a.length);
  return {
    test: (subject) => texts.some((text) => subject.endsWith(text)),
    next(subject, from) {
      const room = subject.length - from;
      const text = longestFirst.find((candidate) => candidate.length <= room && subject.endsWith(candidate));
      return text === undefined ? null : span(subject.length - text.length, text.length);
    },
  };
}

/**
 * Searches for texts anywhere, by a RegExp without quantifiers. A text that has a preferred text as a prefix is never
 * matched. Of the others the longest is, so a trie that prefers longer branches finds it in one descent.
 */
function setSearcher(texts: readonly string[]): Finder {
  let compiled: { readonly first: RegExp; readonly onward: RegExp } | undefined;
  const compile = (): NonNullable<typeof compiled> => ({
    first: expressionOf(texts),
    onward: expressionOf(texts, 'g'),
  });
  return {
    test: (subject, finder = directly) =>
      finder.hasAny(subject, texts, (text) => (compiled ??= compile()).first.test(text)),
    next(subject, from) {
      const { onward } = (compiled ??= compile());
      onward.lastIndex = from;
      const found = onward.exec(subject);
      return found === null ? null : span(found.index, found[0].length);
    },
  };
}

/** A RegExp without quantifiers that finds any of the texts, in time proportional to subject × longest text. */
export const expressionOf = (texts: readonly string[], flags = ''): RegExp =>
  new RegExp(sourceOfTexts(texts), flags);

/** The source of {@link expressionOf}. */
export const sourceOfTexts = (texts: readonly string[]): string => trieSource(trieOf(texts));

interface Trie {
  ends: boolean;
  readonly next: Map<string, Trie>;
}

function trieOf(texts: readonly string[]): Trie {
  const root: Trie = { ends: false, next: new Map() };
  for (const text of texts) insert(root, text);
  return root;
}

function insert(root: Trie, text: string): void {
  let node = root;
  for (const unit of text.split('')) {
    if (node.ends) return;
    let next = node.next.get(unit);
    if (next === undefined) node.next.set(unit, (next = { ends: false, next: new Map() }));
    node = next;
  }
  node.ends = true;
}

function trieSource({ ends, next }: Trie): string {
  if (next.size === 0) return '';
  const branches = Array.from(next, ([unit, node]) => escapeUnit(unit) + trieSource(node));
  if (branches.length === 1 && !ends) return branches[0] as string;
  return `(?:${branches.join('|')})${ends ? '?' : ''}`;
}

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
