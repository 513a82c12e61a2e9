/** Rules in the one form that decisions are made from: ids of endpoints in lower case, and nothing that can change. */
import { deepFreeze, isPlain } from '../json.js';
import type { Action, Rule } from './rule.js';

/** An action with its endpoint ids in lower case, each once; the very same object where none was in upper case. */
export function withCanonicalIds(action: Action): Action {
  if (action.type !== 'route_only') return action;
  const lower = action.endpoint_ids.map((id) => id.toLowerCase());
  const isCanonical = lower.every((id, i) => id === action.endpoint_ids[i]);
  return isCanonical ? action : { ...action, endpoint_ids: [...new Set(lower)] };
}

/** A valid rule, or rule document, with its endpoint ids in lower case; the very same object where they are so. */
export function canonical<R extends { readonly action: Action }>(rule: R): R {
  const action = withCanonicalIds(rule.action);
  return action === rule.action ? rule : { ...rule, action };
}

/**
 * A valid rule as a rule set keeps it: frozen, since the compiled form must not go stale. It is the very object that
 * was passed, unless that is of a class or names endpoints in upper case. `counts`, by which nothing is decided, is
 * left alone.
 */
export function ownRule(rule: Rule): Rule {
  const own = canonical(isPlain(rule) ? rule : { ...rule });
  deepFreeze(own.match);
  deepFreeze(own.action);
  return Object.freeze(own);
}
