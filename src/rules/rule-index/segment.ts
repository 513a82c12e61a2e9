/** Rules with an index over them. It decides as trying each rule in turn does. */
import type { PatternOptions } from '../../patterns/index.js';
import type { Compile, PatternLimit, Matching } from '../decision.js';
import type { Action, Rule } from '../rule.js';
import { Burdens } from './burdens.js';
import { Evaluation, type Gone, type Index } from './evaluation.js';
import { NONE, NodeBuilder } from './nodes.js';

/** Rules in evaluation order, by number, and the index that finds those matching an event. */
export class Segment {
  readonly rules: readonly Rule[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #index: Index;
  /**
   * An evaluation that is not in use. It is taken out during a run: a getter that evaluates another event gets an
   * evaluation of its own. It is put back only after a run that did not throw, so that no state of a failed run reaches
   * the next event.
   */
  #idle: Evaluation | null = null;

  /** @param rules - Valid, in evaluation order. */
  constructor(rules: readonly Rule[], options: PatternOptions, compile: Compile) {
    this.rules = rules;
    this.#numbers = new Map(rules.map(({ id }, number) => [id, number]));
    this.#index = indexOf(rules, options, compile);
  }

  /** The number of the rule with an id; `undefined` where there is none. */
  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  /** The rules that match, in order, up to and with the first drop. */
  matching(event: unknown, limits: PatternLimit[], gone: Gone | null): Matching {
    const evaluation = this.#idle ?? new Evaluation(this.#index);
    this.#idle = null;
    const matching = evaluation.run(event, limits, gone);
    this.#idle = evaluation;
    return matching;
  }
}

function indexOf(rules: readonly Rule[], options: PatternOptions, compile: Compile): Index {
  const [actions, actionOf] = distinct(rules);
  const nodes = new NodeBuilder(rules, options);
  const { leaves, programs } = nodes;
  const root = nodes.root();
  const posted = new Int32Array(leaves.keys.count).fill(NONE);
  for (const [key, under] of root.posted) posted[key] = under;
  const burdens = new Burdens(rules.length, leaves, programs);
  const finders = leaves.seal(
    (key) => nodes.uses(key),
    (key) => burdens.least(key),
  );
  return {
    rules,
    actions,
    compile,
    leaves: leaves.table(),
    newReader: leaves.paths.readers(),
    keys: leaves.keys.count,
    structures: leaves.structures,
    burdens,
    finders,
    root,
    posted,
    lists: nodes.lists(),
    programs: programs.seal(actionOf),
    blocks: programs.blocks,
  };
}

/** Entries of an action's list up to which actions are compared as text. */
const SHORT = 8;

/** The actions of rules without duplicates, and the number of each rule's action. Transforms are never merged. */
function distinct(rules: readonly Rule[]): readonly [readonly Action[], Int32Array] {
  const actions: Action[] = [];
  const known = new Map<string, number>();
  const actionOf = Int32Array.from(rules, ({ action }) => {
    const list =
      action.type === 'tag' ? action.tags : action.type === 'route_only' ? action.endpoint_ids : [];
    if (action.type === 'transform' || list.length > SHORT) return actions.push(action) - 1;
    const text = `${action.type} ${JSON.stringify(list)}`;
    const number = known.get(text) ?? actions.push(action) - 1;
    known.set(text, number);
    return number;
  });
  return [actions, actionOf];
}
