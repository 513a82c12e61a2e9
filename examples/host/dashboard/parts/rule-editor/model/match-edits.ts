/** Edits of a match in the builder. Pure; each gives a new form, which shares what it did not change. */
import { moved } from './form.js';
import { type LeafForm, newLeaf } from './leaf-form.js';
import { type GroupForm, type Join, type MatchForm, MOST_LEVELS, type NodeForm } from './match-form.js';

/** All nodes below a group, each before its children. */
export const nodesIn = (group: GroupForm): NodeForm[] =>
  group.children.flatMap((child) => (child.kind === 'leaf' ? [child] : [child, ...nodesIn(child)]));

export const leavesIn = (group: GroupForm): LeafForm[] =>
  nodesIn(group).filter((node) => node.kind === 'leaf');

/** The id that the next new node gets. */
export const freeIdIn = (form: MatchForm): number =>
  nodesIn(form).reduce((most, { id }) => Math.max(most, id), form.id) + 1;

/** The group that holds a node; null for the outermost group and for a node that is gone. */
export function parentOf(group: GroupForm, id: number): GroupForm | null {
  if (group.children.some((child) => child.id === id)) return group;
  for (const child of group.children) {
    const found = child.kind === 'group' ? parentOf(child, id) : null;
    if (found !== null) return found;
  }
  return null;
}

/** How many groups lie within each other at and below a node. */
const heightOf = (node: NodeForm): number =>
  node.kind === 'leaf' ? 0 : 1 + Math.max(0, ...node.children.map(heightOf));

/** How many groups hold a group, and itself. */
function levelOf(form: MatchForm, id: number): number {
  const parent = parentOf(form, id);
  return parent === null ? 1 : 1 + levelOf(form, parent.id);
}

/** Whether a node may be in a group without more levels than the builder shows. */
const hasRoom = (form: MatchForm, group: GroupForm, node: NodeForm): boolean =>
  levelOf(form, group.id) + heightOf(node) <= MOST_LEVELS;

/** Whether a group may hold another one. */
export const mayNest = (form: MatchForm, { id }: GroupForm): boolean => levelOf(form, id) < MOST_LEVELS;

/** The form with the children of a group changed. */
function withChildren<Group extends GroupForm>(
  group: Group,
  id: number,
  change: (children: readonly NodeForm[]) => readonly NodeForm[],
): Group {
  if (group.id === id) return { ...group, children: change(group.children) };
  const children = group.children.map((child) =>
    child.kind === 'group' ? withChildren(child, id, change) : child,
  );
  const isSame = children.every((child, index) => child === group.children[index]);
  return isSame ? group : { ...group, children };
}

/** The form with a node put in the place of another. */
function withNode(form: MatchForm, id: number, change: (node: NodeForm) => readonly NodeForm[]): MatchForm {
  const parent = parentOf(form, id);
  if (parent === null) return form;
  return withChildren(form, parent.id, (children) =>
    children.flatMap((child) => (child.id === id ? change(child) : [child])),
  );
}

const indexIn = ({ children }: GroupForm, id: number): number =>
  children.findIndex((child) => child.id === id);

/** The form with a leaf more, at the end of a group. */
export const addLeaf = (form: MatchForm, group: GroupForm = form): MatchForm =>
  withChildren(form, group.id, (children) => [...children, newLeaf(freeIdIn(form))]);

/** The form with a group of one leaf more, at the end of a group, joined in the other way. */
export function addGroup(form: MatchForm, { id, join }: GroupForm = form): MatchForm {
  const free = freeIdIn(form);
  const group: GroupForm = { ...groupOf(free, join), children: [newLeaf(free + 1)] };
  return withChildren(form, id, (children) => [...children, group]);
}

const groupOf = (id: number, around: Join): GroupForm => ({
  ...{ kind: 'group', id, join: around === 'all' ? 'any' : 'all', children: [] },
});

/** The form with a leaf changed. */
export const changeLeaf = (form: MatchForm, id: number, change: (leaf: LeafForm) => LeafForm): MatchForm =>
  withNode(form, id, (node) => [node.kind === 'leaf' ? change(node) : node]);

/** The form with the children of a group joined in a way. */
export function joinBy(form: MatchForm, { id }: GroupForm, join: Join): MatchForm {
  if (form.id === id) return { ...form, join };
  return withNode(form, id, (node) => [node.kind === 'group' ? { ...node, join } : node]);
}

/** Whether leaves are left without a node. */
export function isSpare(form: MatchForm, node: NodeForm): boolean {
  const own = node.kind === 'leaf' ? 1 : leavesIn(node).length;
  return leavesIn(form).length > own;
}

/** The form without a node, and without the groups that it leaves empty. */
export function remove(form: MatchForm, id: number): MatchForm {
  const parent = parentOf(form, id);
  if (parent === null) return form;
  const isLast = parent.children.length === 1 && parent.id !== form.id;
  return isLast
    ? remove(form, parent.id)
    : withChildren(form, parent.id, (children) => children.filter((child) => child.id !== id));
}

/** The form with a child of a group moved to another index in it. */
export const moveWithin = (form: MatchForm, group: GroupForm, from: number, to: number): MatchForm =>
  withChildren(form, group.id, (children) => moved(children, from, to));

/** Takes a node out of its group, to behind it. Null if it is in the outermost group. */
export function moveOut(form: MatchForm, id: number): MatchForm | null {
  const parent = parentOf(form, id);
  const outer = parent === null ? null : parentOf(form, parent.id);
  const node = parent?.children[indexIn(parent, id)];
  if (parent === null || outer === null || node === undefined) return null;
  const index = indexIn(outer, parent.id);
  const rest = parent.children.filter((child) => child.id !== id);
  const left = rest.length === 0 ? [] : [{ ...parent, children: rest }];
  return withChildren(form, outer.id, (children) => children.toSpliced(index, 1, ...left, node));
}

/** Moves a node into the group before it, else into the one after it. Null if there is none that has room for it. */
export function moveIn(form: MatchForm, id: number): MatchForm | null {
  const parent = parentOf(form, id);
  if (parent === null) return null;
  const index = indexIn(parent, id);
  const node = parent.children[index]!;
  const [before, after] = [parent.children[index - 1], parent.children[index + 1]];
  const into = [before, after].find((one) => one?.kind === 'group' && hasRoom(form, one, node));
  if (into === undefined) return null;
  const without = withChildren(form, parent.id, (children) => children.filter((child) => child.id !== id));
  return withChildren(without, into.id, (children) =>
    into === before ? [...children, node] : [node, ...children],
  );
}

/** Puts a node into a group of its own, in its place. Null if that is too deep. */
export function wrap(form: MatchForm, id: number): MatchForm | null {
  const parent = parentOf(form, id);
  const node = parent?.children[indexIn(parent, id)];
  if (parent === null || node === undefined) return null;
  const group = groupOf(freeIdIn(form), parent.join);
  if (levelOf(form, parent.id) + 1 + heightOf(node) > MOST_LEVELS) return null;
  return withNode(form, id, (inner) => [{ ...group, children: [inner] }]);
}

/** Puts the children of a group in its place. */
export const unwrap = (form: MatchForm, id: number): MatchForm =>
  withNode(form, id, (node) => (node.kind === 'group' ? node.children : [node]));

/** The node that comes into the place of one that is removed: its next sibling, else the one before, else its group. */
export function neighbourOf(form: MatchForm, id: number): number {
  const parent = parentOf(form, id);
  if (parent === null) return form.id;
  const index = indexIn(parent, id);
  const sibling = parent.children[index + 1] ?? parent.children[index - 1];
  return sibling?.id ?? neighbourOf(form, parent.id);
}

/** Numbers of a node and of the groups around it, such as `2.1`; empty for the outermost group. */
export function outlineOf(form: MatchForm, id: number): string {
  const parent = parentOf(form, id);
  if (parent === null) return '';
  const outer = outlineOf(form, parent.id);
  const own = String(indexIn(parent, id) + 1);
  return outer === '' ? own : `${outer}.${own}`;
}

/** The name of a node for screen readers, such as `condition 2.1`. */
export function nameIn(form: MatchForm, id: number): string {
  const isGroup = parentOf(form, id)?.children.some((one) => one.id === id && one.kind === 'group');
  return `${isGroup === true ? 'group' : 'condition'} ${outlineOf(form, id)}`;
}
