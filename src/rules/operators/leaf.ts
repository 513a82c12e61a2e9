/** The demands of leaves, by their operators. */
import { definitions, type Leaf, type Operator } from './families.js';
import { negatedBy, operatorNames } from './forms.js';
import type { Definition, Demand } from './operator.js';

/** An operator's definition, or that of the one that it negates. */
interface Sense {
  readonly definition: Definition<unknown>;
  /** The operator that the definition is of. */
  readonly op: Operator;
  readonly isNegated: boolean;
}

const senses: ReadonlyMap<Operator, Sense> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ operatorNames.map((name) => {
    const op = negatedBy(name) ?? name;
    const family = definitions.find((family) => op in family) as Readonly<
      Record<string, Definition<unknown>>
    >;
    return [name, { definition: family[op] as Definition<unknown>, op, isNegated: op !== name }];
  }),
);

const senseOf = ({ op }: Leaf): Sense => senses.get(op) as Sense;

/** The definition of a leaf's operator, or of the one that it negates. */
export const definitionOf = (leaf: Leaf): Definition<unknown> => senseOf(leaf).definition;

/** Whether a leaf holds on a present value exactly when its demand is not met. */
export const isNegated = (leaf: Leaf): boolean => senseOf(leaf).isNegated;

/** The demand of a leaf's operator, or of the one that it negates. */
export function demandOf(leaf: Leaf): Demand {
  const { definition, op } = senseOf(leaf);
  return definition.demand?.(leaf.value) ?? { kind: 'other', op, value: leaf.value ?? null };
}

/** Whether a leaf holds on an event that does not have its path. */
export const holdsIfAbsent = (leaf: Leaf): boolean => isNegated(leaf) && demandOf(leaf).kind === 'presence';
