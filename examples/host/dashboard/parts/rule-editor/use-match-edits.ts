/** Edits of a match by its builder: each is announced where it can only be seen, and keeps the focus at the node. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { announce } from '../../ui/index.js';
import type { Shift } from '../SortableList.js';
import {
  addGroup,
  addLeaf,
  freeIdIn,
  moveIn,
  moveOut,
  moveWithin,
  nameIn,
  neighbourOf,
  parentOf,
  remove,
  unwrap,
  wrap,
} from './model/match-edits.js';
import type { GroupForm, MatchForm, NodeForm } from './model/match-form.js';

export interface MatchEdits {
  readonly root: RefObject<HTMLDivElement | null>;
  readonly form: MatchForm;
  readonly change: (form: MatchForm) => void;
  readonly add: (group: GroupForm, kind: NodeForm['kind']) => void;
  readonly remove: (node: NodeForm) => void;
  readonly wrap: (node: NodeForm) => void;
  readonly unwrap: (group: GroupForm) => void;
  /** Moves a node out of its group or into the one beside it, after it was moved within its group. */
  readonly shift: (node: NodeForm, way: Shift, within?: readonly [from: number, to: number]) => void;
  readonly moveWithin: (group: GroupForm, from: number, to: number) => void;
}

const NOWHERE = {
  in: 'There is no group next to it that it can go into',
  out: 'It is in no group that it could leave',
} as const;

export function useMatchEdits(form: MatchForm, change: (form: MatchForm) => void): MatchEdits {
  const root = useRef<HTMLDivElement>(null);
  const focus = useFocus(root);
  const put = (next: MatchForm | null, id: number, isNew = false): void => {
    if (next === null) return;
    focus(id, isNew);
    change(next);
  };
  return {
    root,
    form,
    change,
    add(group, kind) {
      const id = freeIdIn(form);
      if (kind === 'leaf') put(addLeaf(form, group), id, true);
      else put(addGroup(form, group), id + 1, true);
    },
    remove: (node) => put(remove(form, node.id), neighbourOf(form, node.id)),
    wrap: (node) => put(wrap(form, node.id), node.id),
    unwrap: (group) => put(unwrap(form, group.id), group.children[0]?.id ?? form.id),
    moveWithin: (group, from, to) => change(moveWithin(form, group, from, to)),
    shift(node, way, [from, to] = [0, 0]) {
      const parent = parentOf(form, node.id) ?? form;
      const next = (way === 'out' ? moveOut : moveIn)(moveWithin(form, parent, from, to), node.id);
      put(next, node.id);
      announce(next === null ? NOWHERE[way] : `${nameIn(form, node.id)} is now ${nameIn(next, node.id)}`);
    },
  };
}

/**
 * Once the form is shown, puts the focus on the handle of a node, or on the first field of a new one. A layout effect,
 * since an effect that is still waiting from the render before would look for the node where it is not yet.
 */
function useFocus(root: RefObject<HTMLElement | null>): (id: number, isNew: boolean) => void {
  const wanted = useRef<{ readonly id: number; readonly isNew: boolean } | null>(null);
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const { id, isNew } = wanted.current;
    wanted.current = null;
    const row = root.current?.querySelector(`[data-key="${id}"]`) ?? root.current;
    const handle = row?.querySelector<HTMLElement>(':scope > .hg-sortable__grip > button');
    const field = row?.querySelector<HTMLElement>('.hg-leaf__path input');
    (isNew || handle?.checkVisibility() !== true ? field : handle)?.focus();
  });
  return (id, isNew) => (wanted.current = { id, isNew });
}
