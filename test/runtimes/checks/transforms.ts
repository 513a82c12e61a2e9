/** The ops of transforms: the examples that define them, and a decision that applies several. */
import { compileRules, compileTransform, diffJson, type Rule } from 'headgate';
import { given } from '../given.js';
import { type Checks, equal } from './checks.js';

const examples: Checks = Object.fromEntries(
  given.transforms.map(({ line, ops, before, after }) => [
    `docs/rules.md, line ${line}`,
    () => {
      const asItWas = JSON.stringify(before);
      equal(compileTransform(ops)(before), after, 'after');
      equal(JSON.stringify(before), asItWas, 'before');
    },
  ]),
);

const rule = (id: string, priority: number, action: Rule['action']): Rule => ({
  id,
  name: id,
  stage: 'deliver',
  match: { path: 'data.body', op: 'exists' },
  action,
  priority,
});

/** The checks of transforms. */
export const transformChecks: Checks = {
  ...examples,

  'a decision applies the ops of all its rules, in their order': () => {
    const rules = compileRules([
      rule('2', 2, { type: 'transform', ops: [{ op: 'uppercase', path: 'data.body.name' }] }),
      rule('1', 1, { type: 'transform', ops: [{ op: 'set', path: 'data.body.name', value: 'straße' }] }),
      rule('3', 3, {
        type: 'transform',
        ops: [{ op: 'redact', path: 'data.body', regex: '\\d{4,}', replace: '****', deep: true }],
      }),
    ]);
    const data = { body: { name: 'x', cards: ['4242424242424242', { n: 1 }] } };
    const { event } = rules.evaluate({ id: 'evt_1', type: 't', data });
    equal(event.data, { body: { name: 'STRASSE', cards: ['****', { n: 1 }] } }, 'data');
    equal(
      diffJson(data, event.data).map(({ path }) => path),
      ['body.name', 'body.cards.0'],
      'changed places',
    );
  },

  'a redact that exceeds its budget hides the whole string': () => {
    const redact = rule('1', 1, {
      type: 'transform',
      ops: [{ op: 'redact', path: 'data.body', regex: 'x[^y]*y|x', replace: '-' }],
    });
    const decision = compileRules([redact], { patterns: { budget: 10_000_000 } }).evaluate({
      id: 'evt_1',
      type: 't',
      data: { body: 'x'.repeat(1 << 16) },
    });
    equal([decision.event.data, decision.limits.length], [{ body: '-' }, 1], 'data and limits');
  },
};
