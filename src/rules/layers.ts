/**
 * Rules that change while they are in service.
 *
 * An index is never changed. A set of rules is a few layers, each with an index of its own: the rules of the first
 * compilation, then those put since, in batches that grow. What is replaced or removed is marked as gone in a copy of
 * its layer's marks, so the set before the change goes on as it was.
 */
import { budgetOf } from '../patterns/index.js';
import { Matching } from './decision.js';
import { Ledger } from './ledger.js';
import { inEvaluationOrder } from './order.js';
import type { Rule } from './rule.js';
import { BitSet, Segment, type CompileContext, type RuleAccess } from './rule-index/index.js';

/** A layer goes into the next batch unless it has more than this many times its rules, so that layers stay few. */
const LARGER = 4;

/** Demands are sums of fractions: more than what can be lost in adding up a hundred million of them. */
const ROUNDING = 1e-6;

/** Some rules, and which of them are gone. */
interface Layer {
  readonly segment: Segment;
  readonly gone: BitSet | null;
  /** How many are not. */
  readonly live: number;
}

/** Rules in layers, the largest first as a rule. */
export class Layers {
  readonly #layers: readonly Layer[];
  readonly #context: CompileContext;
  #burdenedRules: readonly Rule[] | null = null;

  private constructor(layers: readonly Layer[], context: CompileContext) {
    this.#layers = layers;
    this.#context = context;
  }

  /** @param rules - Valid, enabled, in evaluation order. */
  static of(rules: readonly Rule[], context: CompileContext): Layers {
    return new Layers([layerOf(rules, context)], context);
  }

  /** All that are in service, in evaluation order. */
  rules(): readonly Rule[] {
    const [first, ...others] = this.#layers.map(liveRules);
    if (first === undefined || others.length === 0) return first ?? [];
    return [...first, ...others.flat()].sort(inEvaluationOrder);
  }

  /**
   * Other layers; these stay as they are.
   *
   * @param removed - Ids of rules to remove, in service or not.
   * @param put - Valid, enabled rules, whose ids are among those removed.
   */
  change(removed: ReadonlySet<string>, put: readonly Rule[]): Layers {
    const layers = this.#layers.map((layer) => without(layer, removed));
    const batch = [...put];
    for (let i = layers.length - 1; i >= 0; i--) {
      const layer = layers[i] as Layer;
      const isHalfGone = 2 * layer.live < layer.segment.rules.length;
      if (!isHalfGone && layer.live > LARGER * batch.length) continue;
      for (const rule of liveRules(layer)) batch.push(rule);
      layers.splice(i, 1);
    }
    if (batch.length > 0) layers.push(layerOf(batch.sort(inEvaluationOrder), this.#context));
    return new Layers(layers, this.#context);
  }

  /** How each rule is found, in evaluation order. */
  describe(): readonly RuleAccess[] {
    return this.#layers
      .flatMap(({ segment, gone }, layer) =>
        segment.describe(layer).filter((_, number) => gone?.has(number) !== true),
      )
      .sort((a, b) => inEvaluationOrder(a.rule, b.rule));
  }

  /** The rules that match, in order, up to and with the first drop. */
  matching(event: unknown): Matching {
    const pay = this.#mayExceed(event) ? new Ledger(event, this.#burdened(), this.#context.compile) : null;
    const [first] = this.#layers;
    if (first !== undefined && this.#layers.length === 1) {
      return first.segment.matching(event, first.gone, pay);
    }
    return merge(this.#layers.map(({ segment, gone }) => segment.matching(event, gone, pay)));
  }

  /** Whether the patterns of all rules together might take more work than an event may cost. */
  #mayExceed(event: unknown): boolean {
    const { eventBudget } = this.#context.compile;
    if (eventBudget === Infinity) return false;
    const demand = this.#layers.reduce((sum, { segment }) => sum + segment.demandOf(event), 0);
    return demand * budgetOf(this.#context.options) > eventBudget * (1 - ROUNDING);
  }

  /** The rules in service whose patterns are charged, in evaluation order. */
  #burdened(): readonly Rule[] {
    return (this.#burdenedRules ??= this.#layers
      .flatMap(({ segment, gone }) =>
        segment
          .burdened()
          .filter((number) => gone?.has(number) !== true)
          .map((number) => segment.rules[number] as Rule),
      )
      .sort(inEvaluationOrder));
  }
}

const layerOf = (rules: readonly Rule[], context: CompileContext): Layer => ({
  segment: new Segment(rules, context),
  gone: null,
  live: rules.length,
});

/** The layer with some more of its rules gone. */
function without({ segment, gone, live }: Layer, removed: ReadonlySet<string>): Layer {
  let marks: BitSet | null = null;
  let left = live;
  for (const id of removed) {
    const number = segment.numberOf(id);
    if (number === undefined || gone?.has(number) === true) continue;
    marks ??= gone?.copy() ?? new BitSet(segment.rules.length);
    if (marks.add(number)) left--;
  }
  return { segment, gone: marks ?? gone, live: left };
}

const liveRules = ({ segment, gone }: Layer): readonly Rule[] =>
  gone === null ? segment.rules : segment.rules.filter((_, number) => !gone.has(number));

/** Matches of several layers as one, cut off after the first drop. */
function merge(parts: readonly Matching[]): Matching {
  const merged = new Matching();
  const effects = inOrder(parts.flatMap(({ effects }) => effects));
  for (const { rule, action } of effects) {
    if (merged.act(rule, action)) break;
  }
  const last = merged.effects.at(-1);
  const isIn = (rule: Rule): boolean =>
    last?.action.type !== 'drop' || inEvaluationOrder(rule, last.rule) <= 0;
  for (const rule of parts.flatMap(({ rules }) => rules).sort(inEvaluationOrder)) {
    if (isIn(rule)) merged.add(rule);
  }
  for (const limit of inOrder(parts.flatMap(({ limits }) => limits))) {
    if (isIn(limit.rule)) merged.limits.push(limit);
  }
  return merged;
}

const inOrder = <T extends { readonly rule: Rule }>(items: T[]): T[] =>
  items.sort((a, b) => inEvaluationOrder(a.rule, b.rule));
