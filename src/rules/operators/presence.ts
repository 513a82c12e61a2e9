/** `exists` and its inverse: they ask only whether a path is there. */
import type { Json } from '../../json.js';
import type { AnyLeaf, Definition, Form } from './operator.js';

/** Asks only whether `path` is there. A `value` is ignored; `false` is refused, since it means the opposite. */
export interface PresenceLeaf extends AnyLeaf {
  readonly op: 'exists' | 'missing';
  readonly value?: Exclude<Json, false>;
}

export const presenceForm: Form<PresenceLeaf['op']> = {
  name: 'presenceLeaf',
  value: {
    not: { const: false },
    description: 'left out; for the opposite question use the other of exists and missing',
  },
  operators: {
    exists: { aliases: 'exist present defined isset haspath' },
    missing: {
      negates: 'exists',
      aliases: 'absent notexists notexist doesnotexist undefined notset ispresentnot',
    },
  },
};

export const presenceOperators: Readonly<Record<'exists', Definition<unknown>>> = {
  exists: { test: () => () => true, demand: () => ({ kind: 'presence' }) },
};
