/** Rules of one shape, with the actions that rules have. */
import type { Action, Match, Rule } from '../../src/index.js';
import { word } from './names.js';
import type { Random } from './random.js';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const tag = (random: Random): Action => ({ type: 'tag', tags: [word(random.int(40))] });

/** Most rules tag, some route, a few change the event or drop it. */
export function anyAction(random: Random): Action {
  const kind = random.next();
  if (kind < 0.7) return tag(random);
  if (kind < 0.9) return { type: 'route_only', endpoint_ids: [uuid(random.int(50))] };
  if (kind < 0.95) return { type: 'drop' };
  if (kind < 0.975) return { type: 'transform', ops: [{ op: 'lowercase', path: 'data.body.email' }] };
  return { type: 'transform', ops: [{ op: 'set', path: 'data.body.sender.login', value: 'somebody' }] };
}

/** An action that lets all other rules run: for rules that nearly all match. */
export const tagOnly = tag;

/** `count` rules as they come out of a store, from JSON; what matches the nth is up to `match`. */
export function rulesOf(
  random: Random,
  count: number,
  match: (nth: number) => Match,
  action: (random: Random) => Action = anyAction,
): Rule[] {
  return random.times(count, (nth) => {
    const rule: Rule = {
      id: `rule_${String(nth).padStart(6, '0')}`,
      name: `Rule ${nth}`,
      stage: 'deliver',
      match: match(nth),
      action: action(random),
      priority: random.int(10),
    };
    return JSON.parse(JSON.stringify(rule)) as Rule;
  });
}
