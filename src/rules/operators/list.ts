/** `in` and its inverse: they look a value up in a list. */
import type { Json } from '../../json.js';
import { memberOf } from '../values/index.js';
import type { AnyLeaf, Definition, Form } from './operator.js';

/** Looks the value at `path` up in a list. */
export interface ListLeaf extends AnyLeaf {
  readonly op: 'in' | 'not_in';
  readonly value: readonly Json[];
}

export const listForm: Form<ListLeaf['op']> = {
  name: 'listLeaf',
  value: { type: 'array', description: 'an array' },
  operators: {
    in: { aliases: 'oneof anyof isin within memberof' },
    not_in: { negates: 'in', aliases: 'nin noneof notoneof isnotin' },
  },
};

export const listOperators: Readonly<Record<'in', Definition<readonly Json[]>>> = {
  in: { test: memberOf, demand: (values) => ({ kind: 'equals', values }) },
};
