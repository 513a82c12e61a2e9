/** Plan → flat arrays: everything that matching an event reads. */
import type { PatternOptions } from '../../../patterns/index.js';
import type { Action, Leaf, Rule } from '../../rule.js';
import type { Structures } from '../../values/index.js';
import { isIndex, type IndexPlan, type Key, type PathPlan, type Plan } from '../plan/index.js';
import { layOutActions } from './actions.js';
import { Affixes } from './affixes.js';
import { BudgetGuard } from './budget-guard.js';
import { KeyNumbers, NO_KEY } from './key-numbers.js';
import { layOutPaths, type PathNode } from './path-tree.js';
import { Patterns } from './patterns.js';
import { Postings } from './postings.js';
import { RecordOffsets, Records } from './records.js';
import { gramPasses, type GramPass } from './texts.js';
import { ValueTable, Values } from './values.js';

/** The keys to look for at one path; `null` if there are none of a kind. */
export interface PathLayout {
  /** The number of the key that any present value has. */
  readonly presence: number;
  readonly values: Values | null;
  readonly elements: Values | null;
  readonly prefixes: Affixes | null;
  readonly suffixes: Affixes | null;
  readonly texts: readonly GramPass[];
  readonly patterns: Patterns | null;
}

/** Leaves by number, to test those that no key resolves. */
export interface LeafTable {
  readonly leaves: readonly Leaf[];
  /** The number of the path of each leaf. */
  readonly pathOf: Int32Array;
  readonly options: PatternOptions;
}

/** Built once, before any event. Immutable. */
export interface Layout {
  /** In evaluation order. */
  readonly rules: readonly Rule[];
  readonly actions: readonly Action[];
  readonly pathTree: PathNode;
  /** By the number of the path. */
  readonly paths: readonly PathLayout[];
  readonly structures: Structures;
  /** One more than the number of the last key. */
  readonly keyCount: number;
  readonly postings: Postings;
  readonly records: Records;
  readonly leaves: LeafTable;
  readonly budgets: BudgetGuard;
}

export function layOutPlan(plan: Plan, options: PatternOptions): Layout {
  const rules = plan.rules.map(({ rule }) => rule);
  const actions = layOutActions(rules);
  const keys = new KeyNumbers(plan.keys.length);
  const offsets = new RecordOffsets(plan.rules);
  const budgets = new BudgetGuard(plan, offsets);
  const paths = layOutKeys(plan, budgets, keys);
  return {
    rules,
    actions: actions.distinct,
    pathTree: layOutPaths(plan.paths.map(({ path }) => path)),
    paths,
    structures: plan.structures,
    keyCount: keys.count,
    postings: new Postings(plan, keys, (rule) => offsets.of(rule)),
    records: new Records(plan.rules, offsets, actions.byRule, keys),
    leaves: {
      leaves: plan.leaves.map(({ leaf }) => leaf),
      pathOf: Int32Array.from(plan.leaves, ({ path }) => path.id),
      options,
    },
    budgets,
  };
}

/**
 * Lays the keys of all paths out. Values are always looked for; the other kinds as far as rules are posted under them.
 */
function layOutKeys(plan: Plan, budgets: BudgetGuard, numbers: KeyNumbers): readonly PathLayout[] {
  const posted = new Uint8Array(plan.keys.length);
  markPosted(plan.root, posted);
  const isPosted = ({ id }: Key): boolean => posted[id] === 1;
  const table = new ValueTable();
  const paths = plan.paths.map((path) => layOutPath(path, table, isPosted, budgets, numbers));
  table.seal(numbers);
  return paths;
}

/** Marks the keys of an index and of all indexes within it. */
function markPosted({ byKey }: IndexPlan, posted: Uint8Array): void {
  for (const [key, postings] of byKey) {
    posted[key.id] = 1;
    if (isIndex(postings)) markPosted(postings, posted);
  }
}

function layOutPath(
  path: PathPlan,
  table: ValueTable,
  isPosted: (key: Key) => boolean,
  budgets: BudgetGuard,
  numbers: KeyNumbers,
): PathLayout {
  const postedAmong = (keys: ReadonlyMap<unknown, Key> | null): Key[] =>
    [...(keys?.values() ?? [])].filter(isPosted);
  const affixes = (end: 'start' | 'end', keys: readonly Key[]): Affixes | null =>
    keys.length === 0 ? null : new Affixes(end, keys, numbers);
  const patterns = [...(path.patterns?.values() ?? [])].filter(({ key }) => isPosted(key));
  return {
    presence: path.presence !== null && isPosted(path.presence) ? numbers.add([path.presence]) : NO_KEY,
    values: path.values && new Values(table, path.values),
    elements: path.elements && new Values(table, path.elements),
    prefixes: affixes('start', postedAmong(path.prefixes)),
    suffixes: affixes('end', postedAmong(path.suffixes)),
    texts: gramPasses(postedAmong(path.texts), numbers),
    patterns:
      patterns.length === 0 ? null : new Patterns(patterns, (key) => budgets.leastBurden(key), numbers),
  };
}
