/** `eq`, `contains` and their inverses: they compare with any JSON value. */
import type { Json } from '../../json.js';
import { equalTo, type Account, type SureTest } from '../values/index.js';
import type { AnyLeaf, Definition, Form } from './operator.js';

/** Compares the value at `path` with any JSON value. */
export interface ValueLeaf extends AnyLeaf {
  readonly op: 'eq' | 'neq' | 'contains' | 'not_contains';
  readonly value: Json;
}

export const valueForm: Form<ValueLeaf['op']> = {
  name: 'valueLeaf',
  value: { description: 'any JSON value' },
  operators: {
    eq: { aliases: '= == === equals equal equalto is' },
    neq: { negates: 'eq', aliases: '!= !== <> ne notequal notequals notequalto isnot' },
    contains: { aliases: 'includes include has substring arraycontains' },
    not_contains: {
      negates: 'contains',
      aliases: 'notcontain doesnotcontain notincludes excludes lacks hasnot',
    },
  },
};

export const valueOperators: Readonly<Record<'eq' | 'contains', Definition<Json>>> = {
  eq: { test: equalTo, demand: (value) => ({ kind: 'equals', values: [value] }) },
  contains: { test: containing, demand: (value) => ({ kind: 'contains', value }) },
};

/** Units of a subject that is searched at once, without asking whether it was searched before. */
const SHORT = 256;

/** Elements of an array that are compared at once, without counting how many were compared before. */
const FEW = 16;

const occurs = (text: string, subject: string, account: Account): boolean =>
  subject.length <= SHORT ? subject.includes(text) : account.texts.has(subject, text);

function containing(value: Json): SureTest {
  const matchesElement = equalTo(value);
  return (subject, account) => {
    if (typeof subject === 'string') return typeof value === 'string' && occurs(value, subject, account);
    if (!Array.isArray(subject)) return false;
    if (subject.length > FEW) {
      const elements = account.subjects.elementsOf(subject);
      if (elements !== null) return elements.has(value);
    }
    for (const element of subject as readonly unknown[]) {
      if (matchesElement(element, account)) return true;
    }
    return false;
  };
}
