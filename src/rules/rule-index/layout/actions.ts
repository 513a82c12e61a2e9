/** The actions of rules without duplicates. */
import type { Action, Rule } from '../../rule.js';

/** Entries of an action's list up to which actions are compared as text. */
const SHORT = 8;

export interface Actions {
  readonly distinct: readonly Action[];
  /** The number of each rule's action. */
  readonly byRule: Int32Array;
}

/** Tells actions that are alike apart from others. Transforms are never merged, as each reports for its own rule. */
export function layOutActions(rules: readonly Rule[]): Actions {
  const distinct: Action[] = [];
  const known = new Map<string, number>();
  const byRule = rules.map(({ action }) => {
    const list =
      action.type === 'tag' ? action.tags : action.type === 'route_only' ? action.endpoint_ids : [];
    if (action.type === 'transform' || list.length > SHORT) return distinct.push(action) - 1;
    const text = `${action.type} ${JSON.stringify(list)}`;
    const number = known.get(text) ?? distinct.push(action) - 1;
    known.set(text, number);
    return number;
  });
  return { distinct, byRule: Int32Array.from(byRule) };
}
