/** Conditions of JsonLogic, against json-logic-js. */
import fc from 'fast-check';
import jsonLogic from 'json-logic-js';
import type { Json } from '../../../src/index.js';
import { type Field, lawOf, treeOf } from './law.js';

const original = (condition: object, event: Record<string, Json>): boolean =>
  jsonLogic.truthy(jsonLogic.apply(condition, event));

const swapped = (operator: string, member: unknown, value: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc
    .tuple(value, fc.boolean())
    .map(([value, isFirst]) => ({ [operator]: isFirst ? [member, value] : [value, member] }));

const elementTests = (path: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<object> => {
  const inner = fc.oneof(
    fc.constantFrom('===', '!==', '==').chain((operator) => swapped(operator, { var: '' }, value)),
    value.map((value) => ({ in: [{ var: '' }, [value, 'x']] })),
  );
  const test = fc.oneof(
    inner,
    inner.map((test) => ({ '!': [test] })),
    fc.tuple(inner, inner).map((or) => ({ or })),
  );
  return fc
    .tuple(fc.constantFrom('some', 'none', 'all'), test)
    .map(([operator, test]) => ({ [operator]: [{ var: path }, test] }));
};

const leafOf = ({ path, value, kind }: Field): fc.Arbitrary<object> => {
  const name = path.join('.');
  const member = { var: name };
  const common = fc.oneof(
    fc.constantFrom({ '!!': [member] }, { '!': member }, member),
    fc.constantFrom(
      { missing: [name] },
      { missing: ['data.t', name] },
      { '==': [member, null] },
      { '!==': [null, member] },
    ),
    value.map((text) => ({ in: [text, member] })),
  );
  if (kind === 'list') {
    return fc.oneof({ weight: 3, arbitrary: elementTests(name, value) }, { weight: 1, arbitrary: common });
  }
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .constantFrom('===', '!==', '==', '!=')
        .chain((operator) => swapped(operator, member, value)),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom('<', '<=', '>', '>=').chain((operator) => swapped(operator, member, value)),
    },
    { weight: 1, arbitrary: fc.tuple(value, value).map(([low, high]) => ({ '<=': [low, member, high] })) },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }), {
          maxLength: 3,
        })
        .map((list) => ({ in: [member, list] })),
    },
    { weight: 3, arbitrary: common },
    ...(kind === 'any' ? [{ weight: 2, arbitrary: elementTests(name, value) }] : []),
  );
};

const conditions = (fields: fc.Arbitrary<Field>): fc.Arbitrary<object> =>
  treeOf(fields.chain(leafOf), (inner) =>
    fc.oneof(
      fc.record({ and: fc.array(inner, { minLength: 1, maxLength: 3 }) }),
      fc.record({ or: fc.array(inner, { minLength: 1, maxLength: 3 }) }),
      fc.record({ '!': inner }),
    ),
  );

lawOf({
  from: 'json-logic',
  original,
  conditions,
  nests: true,
  shares: { 'any events': 0.3, 'odd values in objects': 0.35, 'values of one kind': 0.84 },
});
