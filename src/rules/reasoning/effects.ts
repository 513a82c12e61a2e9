/**
 * The effects that rules may still have, once it is known for some rules whether they match: reduced to what can make a
 * difference. Two lists of rules with the same effects decide every such event alike.
 */
import { stringifyJson } from '../../json-text.js';
import { STAR, parsePath, type Path, type Segment } from '../path.js';
import type { Action, TransformOp } from '../rule.js';

/** The action of a rule whose tree has a number, which equal trees share. */
export interface Numbered {
  readonly action: Action;
  readonly tree: number;
}

/** Whether trees match, as far as that is assumed. */
export type Assumed = ReadonlyMap<number, boolean>;

/** The tree of effects that are sure to happen. */
export const SURE = -1;

/** Some effects of one kind, and the tree that brings them about; no items mean that the event is dropped. */
export interface Effect<Item> {
  readonly tree: number;
  readonly items: readonly Item[];
}

/** The effects of a list of rules, in their order; those of one kind are told from those of another. */
export interface Effects {
  readonly tags: readonly Effect<string>[];
  readonly routes: readonly Effect<string>[];
  readonly ops: readonly Effect<TransformOp>[];
}

/** The effects that rules in evaluation order have, or may have, on the events for which the assumptions hold. */
export function effectsOf(rules: readonly Numbered[], assumed: Assumed): Effects {
  const tags = new Items<string>();
  const routes = new Items<string>();
  const ops: Effect<TransformOp>[] = [];
  const dropping = new Set<number>();
  for (const { action, tree: number } of rules) {
    const matches = assumed.get(number);
    if (matches === false || dropping.has(number)) continue;
    const tree = matches === true ? SURE : number;
    if (action.type === 'tag') tags.add(tree, action.tags);
    else if (action.type === 'route_only') routes.add(tree, action.endpoint_ids);
    else if (action.type === 'transform') push(ops, tree, action.ops);
    else if (tree === SURE) return { tags: tags.droppedAtEnd(), routes: [], ops: [] };
    else {
      dropping.add(tree);
      tags.drop(tree);
    }
  }
  return { tags: tags.effects, routes: routes.effects, ops: ops.map(inNormalForm) };
}

/** Texts that are added once each, between drops. */
class Items<Item> {
  readonly effects: Effect<Item>[] = [];
  readonly #added = new Map<number, Set<Item>>();

  add(tree: number, items: readonly Item[]): void {
    const sure = this.#added.get(SURE);
    const own = this.#added.get(tree) ?? new Set<Item>();
    this.#added.set(tree, own);
    const added = items.filter((item) => sure?.has(item) !== true && !own.has(item) && own.add(item));
    if (added.length > 0) push(this.effects, tree, added);
  }

  /** Adds a drop; the order of drops side by side makes no difference. */
  drop(tree: number): void {
    let at = this.effects.length;
    while (at > 0 && isDrop(this.effects[at - 1]) && (this.effects[at - 1] as Effect<Item>).tree > tree) at--;
    this.effects.splice(at, 0, { tree, items: [] });
  }

  /** The effects before a drop that is sure, and that drop; those right before it make no difference. */
  droppedAtEnd(): readonly Effect<Item>[] {
    let end = this.effects.length;
    while (end > 0 && isDrop(this.effects[end - 1])) end--;
    return [...this.effects.slice(0, end), { tree: SURE, items: [] }];
  }
}

const isDrop = (effect: Effect<unknown> | undefined): boolean => effect?.items.length === 0;

/** Adds an effect; one of the same tree right before it takes it in. */
function push<Item>(effects: Effect<Item>[], tree: number, items: readonly Item[]): void {
  const last = effects.at(-1);
  if (last?.tree !== tree || isDrop(last)) effects.push({ tree, items });
  else effects[effects.length - 1] = { tree, items: [...last.items, ...items] };
}

/** Ops up to which they are brought into one order, which takes quadratic time. */
const MAX_OPS = 200;

/**
 * Ops that together do the same: those that are overwritten later are left out, and independent ones are put in one
 * order.
 */
function inNormalForm({ tree, items }: Effect<TransformOp>): Effect<TransformOp> {
  if (items.length > MAX_OPS) return { tree, items };
  const ops = items.map((op) => ({ op, path: parsePath(op.path) as Path, text: textOf(op) }));
  let left = ops.filter(
    ({ path }, i) => !ops.slice(i + 1).some((later) => later.op.op === 'set' && isWithin(path, later.path)),
  );
  const ordered: TransformOp[] = [];
  while (left.length > 0) {
    const free = left.filter(({ path }, i) => !left.slice(0, i).some((before) => meet(path, before.path)));
    const next = free.reduce((one, other) => (other.text < one.text ? other : one));
    ordered.push(next.op);
    left = left.filter((one) => one !== next);
  }
  return { tree, items: ordered };
}

/** Whether a path is another, or leads to something within it, whatever the event. */
const isWithin = (path: Path, outer: Path): boolean =>
  outer.length <= path.length && outer.every((segment, i) => isSame(segment, path[i]));

const isSame = (one: Segment, other: Segment | undefined): boolean =>
  one.key === other?.key && (one === STAR) === (other === STAR);

/** Whether ops on two paths may touch the same value. */
export const meet = (one: Path, other: Path): boolean =>
  one.every((segment, i) => {
    const beside = other[i];
    return beside === undefined || segment === STAR || beside === STAR || isSame(segment, beside);
  });

/** A text that equal values share. */
export const textOf = (value: object): string => stringifyJson(value);

/** Parts of two lists of effects that are not alike: without what they have in common at the start and at the end. */
export function differing<Item>(
  before: readonly Effect<Item>[],
  after: readonly Effect<Item>[],
): readonly (readonly Effect<Item>[])[] {
  const [one, other] = [before.map(textOf), after.map(textOf)];
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}
