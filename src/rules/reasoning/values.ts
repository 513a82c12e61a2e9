/**
 * A value that meets demands on it and on what is in it: a theory of JSON values.
 *
 * Kinds of values are tried one by one, the plainest first. If the value must be one of a list, the members of the list
 * are tried; numbers are intervals, texts automata; objects and arrays are solved member by member.
 */
import type { Json } from '../../json.js';
import { numberIn } from '../values/index.js';
import { elementDemand, type LeafDemand } from './demand.js';
import type { Effort } from './effort.js';
import { ARRAY, OBJECT } from './kinds.js';
import { ABSENT, NONE, OPEN, DemandNode, type Outcome } from './demand-node.js';
import { firstFit, hasShape, memberFor, numberFor, scalarFor, textFor, type Solver } from './scalars.js';
import { shapeWithin, type Shape } from './shape.js';

/** Units of effort for each demand on a node, and for each of its children. */
const UNITS = 16;

/** Elements of an array that is made up. */
const MAX_ELEMENTS = 64;

/** A value for a node, or none if it may be absent. */
export function solve(node: DemandNode, effort: Effort): Outcome {
  return (node.outcome ??=
    node.shape.required !== true && node.allowsAbsence() ? ABSENT : present(node, effort));
}

function present(node: DemandNode, effort: Effort): Outcome {
  if (!effort.affords(UNITS * (1 + node.children.size + node.demands.length))) return OPEN;
  const kinds = kindsFor(node);
  if (kinds === 0) return NONE;
  const isIndexed = [...node.children.values()].some(({ segment }) => segment.index >= 0);
  const wantsText = node.demands.some(isOnWords);
  const structures: Solver[] = isIndexed ? [arrayFor, objectFor] : [objectFor, arrayFor];
  const members = scarcestMembers(node.demands);
  const solvers: Solver[] =
    members !== null
      ? [memberFor(members), ...(members.some((member) => typeof member === 'number') ? [textFor] : [])]
      : wantsText
        ? [textFor, numberFor, scalarFor, ...structures]
        : node.children.size > 0
          ? [...structures, scalarFor, numberFor, textFor]
          : [numberFor, textFor, scalarFor, ...structures];
  let outcome: Outcome = NONE;
  for (const solver of solvers) {
    const result = solver(node, kinds, effort);
    if (typeof result === 'object') return result;
    if (result === OPEN) outcome = OPEN;
  }
  return outcome;
}

/** Whether a demand asks for a text that does not spell a number. */
function isOnWords({ demand }: LeafDemand): boolean {
  const words = demand.kind === 'equals' ? demand.values : 'value' in demand ? [demand.value] : [];
  const isText = demand.kind === 'affix' || demand.kind === 'pattern';
  return isText || words.some((word) => typeof word === 'string' && numberIn(word) === undefined);
}

/** The kinds of values that the demands leave. */
function kindsFor({ demands, children, shape }: DemandNode): number {
  let { kinds } = shape;
  for (const { demand, yes, meaning } of demands) {
    if (yes) kinds &= meaning.kinds;
    else if (demand.kind === 'presence') return 0;
  }
  for (const { segment, node } of children.values()) {
    if (!node.allowsAbsence()) kinds &= segment.index >= 0 ? OBJECT + ARRAY : OBJECT;
  }
  return kinds;
}

/** The shortest list of values of which the value must equal one. */
function scarcestMembers(demands: readonly LeafDemand[]): readonly Json[] | null {
  let fewest: readonly Json[] | null = null;
  for (const { demand, yes } of demands) {
    if (!yes || demand.kind !== 'equals') continue;
    const members = demand.values;
    if (fewest === null || members.length < fewest.length) fewest = members;
  }
  return fewest;
}

/** An object of solved members. One more member of any name tells it from the objects that it must not equal. */
const objectFor: Solver = (node, kinds, effort) => {
  if ((kinds & OBJECT) === 0) return NONE;
  const members: [string, Json][] = [];
  let open = false;
  for (const [key, { node: inner }] of membersOf(node)) {
    const outcome = solve(inner, effort);
    if (outcome === NONE) return NONE;
    if (outcome === OPEN) open = true;
    else if (outcome.value !== undefined) members.push([key, outcome.value]);
  }
  if (open) return OPEN;
  const object = Object.fromEntries(members);
  const names = Array.from({ length: node.demands.length + 1 }, (_, i) => `other${i === 0 ? '' : String(i)}`);
  const more = names.filter((name) => !node.children.has(name)).map((name) => ({ ...object, [name]: true }));
  const outcome = firstFit(node, [object, ...more], effort);
  return outcome === NONE ? OPEN : outcome;
};

/** The nodes of an object's members: those that are asked about, and those that its shape requires. */
function membersOf(node: DemandNode): ReadonlyMap<string, { readonly node: DemandNode }> {
  const members = new Map<string, { readonly node: DemandNode }>();
  for (const [key, shape] of Object.entries(node.shape.members ?? {})) {
    if (shape.required === true) members.set(key, node.children.get(key) ?? { node: new DemandNode(shape) });
  }
  for (const [key, inner] of node.children) members.set(key, inner);
  return members;
}

/** An array: elements that are asked about by their index, then one for each value that it must contain. */
const arrayFor: Solver = (node, kinds, effort) => {
  if ((kinds & ARRAY) === 0) return NONE;
  const every = node.demands.flatMap((each) =>
    each.demand.kind === 'contains' && !each.yes ? [elementDemand(each, each.demand.value, false)] : [],
  );
  const elements: DemandNode[] = [];
  let length = 0;
  for (const { segment, node: inner } of node.children.values()) {
    if (inner.allowsAbsence()) continue;
    if (segment.index < 0) return NONE;
    if (segment.index >= MAX_ELEMENTS) return OPEN;
    length = Math.max(length, segment.index + 1);
  }
  for (let i = 0; i < length; i++) elements.push(elementAt(node, i, every));
  const isEmpty =
    node.children.get('0')?.node.demands.some(({ demand, yes }) => demand.kind === 'presence' && !yes) ===
    true;
  for (const each of node.demands) {
    if (each.demand.kind === 'contains' && each.yes) {
      if (isEmpty) return NONE;
      const element = new DemandNode(node.shape.elements ?? anyElement);
      element.demands.push(elementDemand(each, each.demand.value, true), ...every);
      elements.push(element);
    }
  }
  if (elements.length > MAX_ELEMENTS) return OPEN;
  return arrayOf(node, elements, effort);
};

const anyElement: Shape = shapeWithin({ kinds: ARRAY }, '0', true);

/** The node of an element with all demands on it; it is present. */
function elementAt({ shape, children }: DemandNode, index: number, every: readonly LeafDemand[]): DemandNode {
  const known = children.get(String(index))?.node;
  const element = new DemandNode({ ...(known?.shape ?? shape.elements ?? anyElement), required: true });
  if (known !== undefined) {
    element.demands.push(...known.demands);
    for (const [key, inner] of known.children) element.children.set(key, inner);
  }
  element.demands.push(...every);
  return element;
}

function arrayOf(node: DemandNode, elements: readonly DemandNode[], effort: Effort): Outcome {
  const values: Json[] = [];
  let open = false;
  for (const element of elements) {
    const outcome = present(element, effort);
    if (outcome === NONE) return NONE;
    if (outcome === OPEN) open = true;
    else values.push(outcome.value as Json);
  }
  if (open) return OPEN;
  const fillers = [null, true, 'other'].filter((value) => hasShape(value, node.shape.elements ?? anyElement));
  const candidates = [values, ...fillers.map((filler) => [...values, filler])];
  const outcome = firstFit(node, candidates, effort);
  return outcome === NONE ? OPEN : outcome;
}
