/** Actions and rules. */
import type { Action, Match, Rule, TransformOp } from '../../rules/rule.js';
import type { Arbitrary, FastCheck } from './fast-check.js';
import type { Matches } from './matches.js';
import { endpointIds, ids, tags, templates } from './pools.js';
import type { Values } from './values.js';

/** One step of a transform. */
export function opArbitrary(
  fc: FastCheck,
  { json }: Values,
  pattern: Arbitrary<string>,
  { dataPath: path }: Matches,
): Arbitrary<TransformOp> {
  const replace = fc.array(fc.constantFrom(...templates), { maxLength: 3 }).map((parts) => parts.join(''));
  return fc.oneof(
    fc.record({ op: fc.constant('set'), path, value: json }),
    fc.record(
      { op: fc.constant('redact'), path, regex: pattern, replace, deep: fc.boolean() },
      { requiredKeys: ['op', 'path', 'regex', 'replace'], noNullPrototype: true },
    ),
    fc.record({ op: fc.constantFrom('uppercase', 'lowercase', 'trim'), path }),
  );
}

/** All types of actions. Drops are rarer, so that several others often apply to one event. */
export function actionArbitrary(fc: FastCheck, op: Arbitrary<TransformOp>): Arbitrary<Action> {
  const some = <T>(one: Arbitrary<T>, maxLength: number) => fc.array(one, { minLength: 1, maxLength });
  const labels = some(fc.constantFrom(...tags), 3);
  const endpoints = some(fc.constantFrom(...endpointIds), 3);
  return fc.oneof(
    { weight: 1, arbitrary: fc.record({ type: fc.constant('drop') }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('transform'), ops: some(op, 4) }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('route_only'), endpoint_ids: endpoints }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('tag'), tags: labels }) },
  );
}

/** Rules. There are few different priorities, so that ties are frequent. */
export const ruleArbitrary = (
  fc: FastCheck,
  match: Arbitrary<Match>,
  action: Arbitrary<Action>,
): Arbitrary<Rule> =>
  fc.record(
    {
      id: fc.oneof(fc.constantFrom(...ids), fc.uuid()),
      name: fc.string({ minLength: 1, maxLength: 5 }),
      description: fc.string({ maxLength: 5 }),
      stage: fc.constant('deliver'),
      match,
      action,
      priority: fc.constantFrom(-1, 0, 0, 1, 10, Number.MAX_SAFE_INTEGER),
      enabled: fc.constantFrom(true, true, false),
    },
    { requiredKeys: ['id', 'name', 'stage', 'match', 'action', 'priority'], noNullPrototype: true },
  );
