/** Literals: the texts that a pattern matches, requires, or begins with. */
import { count, type CodePoints } from './code-points.js';
import { foldCase } from './escapes.js';
import { directly, type TextFinder } from './texts.js';
import type { Node, Repeat } from './tree.js';

/** Bounds on a set of strings. */
export interface StringBounds {
  /** The most strings. */
  readonly strings: number;
  /** The most UTF-16 units of all strings together. */
  readonly units: number;
  /** Whether an assertion counts as the empty string. */
  readonly overlookAssertions: boolean;
}

/**
 * All strings that a node matches, in the order in which a leftmost-first search prefers them.
 *
 * @returns `null` if there are more than the bounds allow, or where only the engine knows them.
 */
export function stringsOf(node: Node, bounds: StringBounds): readonly string[] | null {
  switch (node.kind) {
    case 'empty':
      return [''];
    case 'assertion':
      return bounds.overlookAssertions ? [''] : null;
    case 'character':
      return within(
        bounds,
        node.fold ? expand(foldCase([node.point, node.point]), bounds) : [String.fromCodePoint(node.point)],
      );
    case 'class':
      return within(bounds, expand(node.members, bounds));
    case 'group':
      return stringsOf(node.node, bounds);
    case 'sequence':
      return node.nodes.reduce<readonly string[] | null>(
        (all, part) => all && cross(all, stringsOf(part, bounds), bounds),
        [''],
      );
    case 'choice':
      return node.nodes.reduce<readonly string[] | null>(
        (all, part) => either(all, stringsOf(part, bounds), bounds),
        [],
      );
    case 'repeat':
      return repeated(node, stringsOf(node.node, bounds), bounds);
  }
}

function within(bounds: StringBounds, strings: readonly string[] | null): readonly string[] | null {
  if (strings === null || strings.length > bounds.strings) return null;
  return strings.reduce((units, text) => units + text.length, 0) > bounds.units ? null : strings;
}

function expand(members: CodePoints | null, bounds: StringBounds): readonly string[] | null {
  if (members === null || count(members) > bounds.strings) return null;
  const strings: string[] = [];
  for (let i = 0; i < members.length; i += 2) {
    for (let point = members[i] as number; point <= (members[i + 1] as number); point++) {
      strings.push(String.fromCodePoint(point));
    }
  }
  return strings;
}

type Strings = readonly string[] | null;

/** Each of the first followed by each of the second. */
function cross(heads: readonly string[], tails: Strings, bounds: StringBounds): Strings {
  if (tails === null) return null;
  const pairs = new Set<string>();
  for (const head of heads) {
    for (const tail of tails) {
      pairs.add(head + tail);
      if (pairs.size > bounds.strings) return null;
    }
  }
  return within(bounds, [...pairs]);
}

function either(first: Strings, second: Strings, bounds: StringBounds): Strings {
  return first && second && within(bounds, [...new Set([...first, ...second])]);
}

function repeated({ min, max, lazy }: Repeat, once: Strings, bounds: StringBounds): Strings {
  if (once === null || max === Infinity) return null;
  let all: Strings = [''];
  for (let i = min; i < max && all !== null; i++) {
    const more: Strings = cross(once, all, bounds);
    all = lazy ? either([''], more, bounds) : either(more, [''], bounds);
  }
  for (let i = 0; i < min && all !== null; i++) all = cross(once, all, bounds);
  return all;
}

/** At least one of these strings occurs in every match. */
export type Clause = readonly string[];

const clauseBounds: StringBounds = { strings: 8, units: 400, overlookAssertions: true };
const MAX_CLAUSES = 4;
const MAX_CLAUSE_STRINGS = 64;

/** Clauses that every match satisfies, the most selective first. Empty if no literal is required. */
export function requiredLiterals(tree: Node): readonly Clause[] {
  return [...clausesOf(tree)].sort(bySelectivity).slice(0, MAX_CLAUSES);
}

/** Clauses of long strings first, since those are the rarest. */
function bySelectivity(a: Clause, b: Clause): number {
  return shortest(b) - shortest(a) || a.length - b.length;
}

const shortest = (clause: Clause): number => Math.min(...clause.map((text) => text.length));

function clausesOf(node: Node): readonly Clause[] {
  const exact = stringsOf(node, clauseBounds);
  if (exact !== null) return clause(exact);
  switch (node.kind) {
    case 'group':
      return clausesOf(node.node);
    case 'repeat':
      return node.min === 0 ? [] : clausesOf(node.node);
    case 'sequence':
      return sequenceClauses(node.nodes);
    case 'choice':
      return choiceClauses(node.nodes);
    default:
      return [];
  }
}

/** A clause of the strings, unless one of them is empty and so in every text. */
function clause(strings: readonly string[]): readonly Clause[] {
  if (strings.length === 0 || strings.includes('')) return [];
  return [strings.filter((text) => !strings.some((other) => other !== text && text.includes(other)))];
}

/** Concatenates neighboring nodes that are finite sets of strings, as far as the bounds allow. */
function sequenceClauses(nodes: readonly Node[]): readonly Clause[] {
  const clauses: Clause[] = [];
  let run: readonly string[] = [''];
  for (const node of nodes) {
    const exact = stringsOf(node, clauseBounds);
    const longer = exact && cross(run, exact, clauseBounds);
    if (longer === null) clauses.push(...clause(run), ...(exact === null ? clausesOf(node) : []));
    run = longer ?? exact ?? [''];
  }
  return [...clauses, ...clause(run)];
}

/** One clause: the best of each branch. */
function choiceClauses(nodes: readonly Node[]): readonly Clause[] {
  const best = nodes.map((node) => [...clausesOf(node)].sort(bySelectivity)[0]);
  const strings = new Set<string>();
  for (const branch of best) {
    if (branch === undefined) return [];
    for (const text of branch) strings.add(text);
  }
  return strings.size > MAX_CLAUSE_STRINGS ? [] : clause([...strings]);
}

const prefixBounds: StringBounds = { strings: 64, units: 1000, overlookAssertions: true };
/** Prefixes of at least this length are not extended if that would make more than this many. */
const LONG_PREFIX = 3;
const FEW_PREFIXES = 12;

/**
 * Texts such that every match begins with one of them.
 *
 * @returns A list with the empty text where no prefix is known.
 */
export function prefixesOf(node: Node): readonly string[] {
  const exact = stringsOf(node, prefixBounds);
  if (exact !== null) return exact;
  switch (node.kind) {
    case 'group':
      return prefixesOf(node.node);
    case 'repeat':
      return node.min === 0 ? UNKNOWN : prefixesOf(node.node);
    case 'sequence':
      return prefixesOfSequence(node.nodes);
    case 'choice': {
      const branches = new Set(node.nodes.flatMap(prefixesOf));
      return branches.size > prefixBounds.strings ? UNKNOWN : [...branches];
    }
    default:
      return UNKNOWN;
  }
}

const UNKNOWN: readonly string[] = [''];

/**
 * Extends prefixes node by node, as far as the bounds allow and up to the first node that is not a finite set of
 * strings.
 */
function prefixesOfSequence(nodes: readonly Node[]): readonly string[] {
  let prefixes: readonly string[] = UNKNOWN;
  for (const node of nodes) {
    const exact = stringsOf(node, prefixBounds);
    const longer = cross(prefixes, exact ?? prefixesOf(node), prefixBounds);
    if (longer === null || (longer.length > FEW_PREFIXES && shortest(prefixes) >= LONG_PREFIX)) {
      return prefixes;
    }
    prefixes = longer;
    if (exact === null) return prefixes;
  }
  return prefixes;
}

/** Whether a text satisfies all clauses. */
export function holdsLiterals(
  clauses: readonly Clause[],
  text: string,
  texts: TextFinder = directly,
): boolean {
  return clauses.every((clause) => clause.some((literal) => texts.has(text, literal)));
}
