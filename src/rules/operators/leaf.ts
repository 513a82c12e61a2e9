/** The demands of leaves, by their operators. */
import { definitions, type Leaf, type Operator } from './families.js';
import { negatedBy } from './forms.js';
import type { Definition, Demand } from './operator.js';

const byName: ReadonlyMap<string, Definition<unknown>> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ (definitions as readonly Readonly<Record<string, Definition<unknown>>>[]).flatMap(
    (family) => Object.entries(family),
  ),
);

/** The operator of a leaf, or the one that it negates. */
const positive = ({ op }: Leaf): Operator => negatedBy(op) ?? op;

/** The definition of a leaf's operator, or of the one that it negates. */
export const definitionOf = (leaf: Leaf): Definition<unknown> =>
  byName.get(positive(leaf)) as Definition<unknown>;

/** Whether a leaf holds where its demand, on a value that is present, is not met. */
export const isNegated = ({ op }: Leaf): boolean => negatedBy(op) !== undefined;

/** The demand of a leaf's operator, or of the one that it negates. */
export const demandOf = (leaf: Leaf): Demand =>
  definitionOf(leaf).demand?.(leaf.value) ?? {
    kind: 'other',
    op: positive(leaf),
    value: leaf.value ?? null,
  };

/** Whether a leaf holds on an event that does not have its path. */
export const holdsIfAbsent = (leaf: Leaf): boolean => isNegated(leaf) && demandOf(leaf).kind === 'presence';
