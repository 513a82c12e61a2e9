/** The rule sets that a thread has at hand, and parts of their lists. */
import { compileRules, type PatternOptions, type Rule, type RuleSet } from 'headgate';
import type { GivenRules, Part, PartOfRules } from './given.js';

/** The rules of a project at one version. */
export interface KnownRules {
  /** In evaluation order. */
  readonly rules: readonly Rule[];
  /** Compiled when it is first asked for. */
  readonly set: RuleSet;
}

/** Rule sets that are kept, the least recently used first to go. */
const MOST_KNOWN = 4;

/** @param patterns - The work that rules may do on one event; left out, the library's. */
export function createRuleSets(patterns: PatternOptions | undefined): (given: GivenRules) => KnownRules {
  const known = new Map<string, KnownRules>();
  return (given) => {
    const key = `${given.project} ${given.version}`;
    const found = known.get(key) ?? readRules(given, patterns);
    known.delete(key);
    known.set(key, found);
    for (const oldest of known.keys()) {
      if (known.size > MOST_KNOWN) known.delete(oldest);
    }
    return found;
  };
}

function readRules({ text }: GivenRules, patterns: PatternOptions | undefined): KnownRules {
  const rules = JSON.parse(text) as Rule[];
  let set: RuleSet | null = null;
  return {
    rules,
    get set() {
      return (set ??= compileRules(rules, patterns === undefined ? {} : { patterns }));
    },
  };
}

/** Most UTF-16 units of the JSON of a part of a list, which ends with the item that reaches them. */
const MOST_UNITS = 1_048_576;

/**
 * The rules after a sort key, as many as there are to be, and the sort key after which the next part begins.
 *
 * @param itemOf - Null ends the part before this rule, which is not the first of it.
 */
export function partOf<Item>(
  rules: readonly Rule[],
  { after: [priority, id], limit }: PartOfRules,
  itemOf: (rule: Rule, isFirst: boolean) => Item | null,
): Part<Item> {
  const isAfter = (rule: Rule): boolean =>
    rule.priority > priority || (rule.priority === priority && rule.id > id);
  const begin = rules.findIndex(isAfter);
  const items: Item[] = [];
  let last: Rule | null = null;
  let units = 0;
  for (const rule of begin < 0 ? [] : rules.slice(begin)) {
    const item = items.length < limit && units < MOST_UNITS ? itemOf(rule, last === null) : null;
    if (item === null) return { items, next: last === null ? null : [last.priority, last.id] };
    items.push(item);
    units += JSON.stringify(item).length;
    last = rule;
  }
  return { items, next: null };
}
