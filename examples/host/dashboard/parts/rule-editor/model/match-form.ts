/** A match as the builder shows it: groups of leaves and of other groups. A single leaf is a group of one. */
import { isRefusal, type Printed, type Refusal } from './form.js';
import { type LeafForm, newLeaf, printLeaf, readLeaf } from './leaf-form.js';
import { childrenOf, membersOf, type Source, type SourceNode } from './source.js';

/** How the children of a group are joined. */
export type Join = 'all' | 'any';

/** One group while it is written. */
export interface GroupForm {
  readonly kind: 'group';
  /** Tells the nodes of one form apart; it is not part of the match. */
  readonly id: number;
  readonly join: Join;
  readonly children: readonly NodeForm[];
}

export type NodeForm = LeafForm | GroupForm;

/** The outermost group. */
export interface MatchForm extends GroupForm {
  /** Whether the match is its only leaf, in no group. */
  readonly isBare: boolean;
}

/** Groups within groups that the builder shows. Rules may have more, but nobody can read those as nested boxes. */
export const MOST_LEVELS = 20;

/**
 * Reads a match into a form.
 *
 * @param pointer - The pointer of the match in its rule.
 * @returns The form, or the reason why only the JSON editor shows this match.
 */
export function readMatch(source: Source, node: SourceNode, pointer = '/match'): MatchForm | Refusal {
  let id = 0;
  const nextId = (): number => id++;
  const read = readNode(source, node, { pointer, level: 1, nextId });
  if (isRefusal(read)) return read;
  if (read.kind === 'group') return { ...read, isBare: false };
  return { kind: 'group', id: nextId(), join: 'all', isBare: true, children: [read] };
}

/** The place of a node that is read. */
interface Reading {
  readonly pointer: string;
  /** The level that a group has here, from 1. */
  readonly level: number;
  readonly nextId: () => number;
}

const TOO_DEEP = `is a group at level ${MOST_LEVELS + 1}. The builder shows ${MOST_LEVELS} levels; the JSON editor shows all.`;

function readNode(source: Source, node: SourceNode, at: Reading): NodeForm | Refusal {
  const { pointer, level, nextId } = at;
  const join = joinOf(source, node);
  if (join === null) return readLeaf(source, node, pointer, nextId());
  if (level > MOST_LEVELS) return { pointer, why: `${pointer} ${TOO_DEEP}` };
  const id = nextId();
  const children: NodeForm[] = [];
  for (const [i, child] of childrenOf(source, membersOf(source, node).get(join)!).entries()) {
    const read = readNode(source, child, { pointer: `${pointer}/${join}/${i}`, level: level + 1, nextId });
    if (isRefusal(read)) return read;
    children.push(read);
  }
  return { kind: 'group', id, join, children };
}

/** How the children of a group are joined; null if this is not a group with a list. */
function joinOf(source: Source, node: SourceNode): Join | null {
  if (node.type !== 'object' || node.children.length !== 1) return null;
  const list = source.nodes[node.children[0]!]!;
  return list.type === 'array' && (list.key === 'all' || list.key === 'any') ? list.key : null;
}

/** The only leaf of a match that has no group; null for any other match. */
export function bareLeaf({ isBare, children }: MatchForm): LeafForm | null {
  const [only, ...others] = children;
  return isBare && others.length === 0 && only?.kind === 'leaf' ? only : null;
}

/** The pointers of a group's children in the rule. */
export const childPointer = (pointer: string, { join }: GroupForm, index: number): string =>
  `${pointer}/${join}/${index}`;

/**
 * The JSON text of a form. Printing what was read gives an equal tree, with members in their order and numbers as
 * written.
 */
export function printMatch(form: MatchForm): Printed {
  const leaf = bareLeaf(form);
  return leaf === null ? printGroup(form, '/match') : printLeaf(leaf, '/match');
}

function printGroup(group: GroupForm, pointer: string): Printed {
  const printed = group.children.map((child, index) => {
    const at = childPointer(pointer, group, index);
    return child.kind === 'leaf' ? printLeaf(child, at) : printGroup(child, at);
  });
  return {
    text: `{ "${group.join}": [${printed.map(({ text }) => text).join(', ')}] }`,
    faults: printed.flatMap(({ faults }) => faults),
  };
}

/** The form of a new rule. */
export const NEW_MATCH: MatchForm = {
  ...{ kind: 'group', id: 0, join: 'all', isBare: false },
  children: [newLeaf(1)],
};
