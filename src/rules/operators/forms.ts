/** The operators by name, as documents write them. */
import { forms, idleForms, type Operator } from './families.js';
import type { Form, OperatorForm } from './operator.js';

type Entry = OperatorForm & { readonly form: Form };

const entries: ReadonlyMap<string, Entry> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ forms.flatMap((form) =>
    Object.entries(form.operators).map(([name, operator]) => [name, { ...operator, form }]),
  ),
);

const entryOf = (op: Operator): Entry => entries.get(op) as Entry;

/** The names of all operators. */
export const operatorNames: readonly Operator[] = /* @__PURE__ */ Array.from(
  /* @__PURE__ */ entries.keys(),
) as readonly Operator[];

/** True for the name of an operator. */
export const isOperator = (name: unknown): name is Operator => entries.has(name as string);

/** The operators that have the same kind of value. */
export const formOf = (op: Operator): Form => entryOf(op).form;

/** The operator that another one negates; `undefined` if it negates none. */
export const negatedBy = (op: Operator): Operator | undefined => entryOf(op).negates as Operator | undefined;

/** Whether the value of an operator is an RE2 pattern. */
export const takesPattern = (op: Operator): boolean => entryOf(op).isPattern === true;

/** Whether an operator ignores its value. */
export const ignoresValue = (op: string): boolean => idleForms.some(({ operators }) => op in operators);

/** The advice for people who look for the inverse of an operator; `undefined` if it has one. */
export const insteadOfInverse = (op: string): string | undefined => entries.get(op)?.insteadOfInverse;
