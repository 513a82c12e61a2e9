/**
 * Laws of the cost of an event, whatever the number of rules: the shapes of the benches, their cliffs, rule sets that
 * were changed, and sets of patterns. Each law counts, and tells what is beyond its bounds; it never throws.
 */
import {
  changes,
  cliffWorkloads,
  flatWorkloads,
  parsedWorkloads,
  PATTERN_SET_SIZES,
  patternSetWorkload,
  payloadWorkloads,
  type PatternSetEvents,
  type ScalingWorkload,
  type Workload,
} from '../../../bench/workloads/index.js';
import { atMost, violationsOf, type Bounds } from './cost-bounds.js';
import { CountedRules, costOf, type EventCost } from './event-cost.js';

/** Something that must hold of the counts. */
export interface CostLaw {
  readonly name: string;
  /** The counts beyond their bounds, each as a sentence. */
  readonly violations: () => readonly string[];
}

/** How the cost of a shape of rules may grow with their number. */
export interface ShapeLaw extends Sizes {
  /** The bench. */
  readonly group: string;
  readonly shape: string;
  readonly bounds: Bounds;
  readonly workload: (rules: number) => Workload;
}

/** Numbers of rules. */
interface Sizes {
  readonly few: number;
  /** With so many, tests try the law. */
  readonly many: number;
  /** With so many, `bench/counts` does. */
  readonly most: number;
}

const EVENTS = 200;

/** The goal for a hundred times as many rules. */
const FLAT = atMost(1.5);
/** The same, for rules that the keys decide: none is tried. */
const TOLD: Bounds = { ...FLAT, isTold: true };
const EACH_TRIED: Bounds = { ...FLAT, isEachTried: true };

// Wider than the goal, each for a reason.

/** Texts of a size get a pass of their own from a certain number on: one pass with few rules, two with many. */
const ONE_PASS_MORE = atMost(1.5, { units: 2.1 });
/** More rules name more of the paths that an event has. */
const MORE_PATHS: Bounds = { ...TOLD, ...atMost(1.5, { lookUps: 2 }) };
/** Deep trees that mix everything share one vocabulary. An event that matches one more rule meets four more in vain. */
const DEEP: Bounds = { ...atMost(3), perMatch: 5 };
/** A text of a pattern occurs more often than the pattern matches. */
const PATTERN_TEXTS: Bounds = { ...ONE_PASS_MORE, perMatch: 4 };

/** Tests try a shape of two benches with as many rules as there may be, as they do most cliffs. */
const QUICK: Sizes = { few: 1_000, many: 100_000, most: 100_000 };
const USUAL: Sizes = { ...QUICK, many: 10_000 };
const PATTERN_SIZES: Sizes = { few: 10, many: 1_000, most: 1_000 };

type Row = readonly [shape: string, bounds: Bounds, sizes?: Sizes];

const shapeLaws = (group: string, workloads: readonly ScalingWorkload[], rows: readonly Row[]): ShapeLaw[] =>
  rows.map(([shape, bounds, sizes = USUAL]) => {
    const scaling = workloads.find(({ name }) => name === shape);
    if (scaling === undefined) throw new Error(`no shape ${shape} in ${group}`);
    const workload = (rules: number): Workload => scaling.make({ rules, events: EVENTS });
    return { group, shape, bounds, ...sizes, workload };
  });

export const flatLaws = shapeLaws('flat', flatWorkloads, [
  ['eq', TOLD],
  ['eq and eq', FLAT],
  ['eq and neq', FLAT],
  ['eq and missing', FLAT],
  ['eq and gt', FLAT],
  ['in', TOLD],
  ['starts_with', TOLD],
  ['ends_with', TOLD],
  ['any line item', TOLD],
  ['distinct paths', TOLD],
  ['range', TOLD, QUICK],
  ['contains', { ...ONE_PASS_MORE, isTold: true }],
  ['matches', ONE_PASS_MORE],
  ['any of eq, ends_with, range', TOLD],
  ['trees four deep', DEEP],
  ['neq, few match', EACH_TRIED],
  ['neq, nearly all match', EACH_TRIED],
]);

/** Shapes that differ from every flat one. */
export const parsedLaws = shapeLaws('parsed', parsedWorkloads, [
  ['eq', TOLD, QUICK],
  ['eq and eq', FLAT],
  ['eq, neq and eq', FLAT],
  ['eq and missing', FLAT],
  ['eq and gt', FLAT],
  ['in', TOLD],
  ['starts_with', TOLD],
  ['ends_with', TOLD],
  ['deep', FLAT],
  ['patterns on one path', PATTERN_TEXTS, PATTERN_SIZES],
]);

/** Shapes of bench/parsed with the very rules of a flat shape. */
export const PARSED_AS_FLAT: Readonly<Record<string, string>> = {
  'distinct paths': 'distinct paths',
  range: 'range',
  contains: 'contains',
  matches: 'matches',
  'any of three': 'any of eq, ends_with, range',
  'trees four deep': 'trees four deep',
  'neq, nearly all match': 'neq, nearly all match',
};

export const payloadLaws = shapeLaws('payload', payloadWorkloads, [
  ['eq', TOLD],
  ['eq and eq', FLAT],
  ['eq, eq and neq', FLAT],
  ['eq and missing', FLAT],
  ['in', TOLD],
  ['starts_with', TOLD],
  ['ends_with', TOLD],
  ['distinct paths', MORE_PATHS],
  ['any element', TOLD],
  ['range', TOLD],
  ['contains', TOLD],
  ['matches', FLAT],
  ['trees four deep', DEEP],
]);

/** The counts of a shape of rules that are beyond their bounds. */
export const shapeViolations = ({ bounds, few, workload }: ShapeLaw, many: number): readonly string[] =>
  violationsOf(costOf(workload(few)), costOf(workload(many)), bounds);

/** Events of a cliff that are counted; where they are large there are fewer. */
const CLIFF_EVENTS = 64;
/** All rules of a cliff are held against one in so many of them. */
const CLIFF_SHARE = 100;

/** Each event matches dozens of rules. A drop among them ends the matches after all rules were met. */
const CUT_OFF: Bounds = { ...ONE_PASS_MORE, perMatch: 2 };

const cliffBounds: Readonly<Record<string, Bounds>> = {
  'ten thousand substrings': ONE_PASS_MORE,
  '50,000 share an eq, a substring picks': ONE_PASS_MORE,
  '10,000 substrings, 64 KB at random': ONE_PASS_MORE,
  '10,000 substrings, 64 KB of their pieces': CUT_OFF,
  '1,000 substrings aaa…, 64 KB of a': ONE_PASS_MORE,
};

export const cliffLaws: readonly CostLaw[] = cliffWorkloads.map(({ name, make }) => ({
  name,
  violations() {
    const { rules, texts } = make();
    const fewRules = rules.filter((_, nth) => nth % CLIFF_SHARE === 0);
    const events = texts.slice(0, CLIFF_EVENTS);
    const costWith = (some: Workload['rules']): EventCost => costOf({ rules: some, texts: events });
    return violationsOf(costWith(fewRules), costWith(rules), cliffBounds[name] ?? FLAT);
  },
}));

const CHANGED_RULES = 2_000;
const CHANGES = 100;
/** A layer has more than so many times the rules of those after it. */
const LAYER_RATIO = 4;

/** The layer of the rules first compiled, and as many more as changes can fill, each so many times the next. */
const MOST_LAYERS = 1 + Math.ceil(Math.log(CHANGES) / Math.log(LAYER_RATIO));

/** After many changes of one rule each, an event costs no more than it did, in each of few layers. */
function changedViolations({ make }: ScalingWorkload): readonly string[] {
  const { rules, texts } = make({ rules: CHANGED_RULES, events: EVENTS });
  const fresh = CountedRules.compile(rules);
  const changed = changes(rules, CHANGES).reduce((set, { rule }) => set.update({ put: [rule] }), fresh);
  const layers = new Set(changed.set.describe().map(({ layer }) => layer)).size;
  return [
    ...(layers > MOST_LAYERS
      ? [`${layers} layers after ${CHANGES} changes; at most ${MOST_LAYERS} may be`]
      : []),
    ...violationsOf(fresh.cost(texts), changed.cost(texts), atMost(layers)),
  ];
}

const CHANGED = ['eq', 'eq and eq', 'range', 'contains', 'trees four deep'];

/** `update`: layers stay few, and each costs what the whole cost before. */
export const changeLaws: readonly CostLaw[] = flatWorkloads
  .filter(({ name }) => CHANGED.includes(name))
  .map((workload) => ({ name: workload.name, violations: () => changedViolations(workload) }));

/** A text of a pattern may occur where the pattern does not match: one pattern in a hundred is tried in vain. */
const PATTERNS: Bounds = { ...ONE_PASS_MORE, perMatch: 2, inVain: 0.01 };
/** Beyond a hundred patterns no unit is looked at once more. */
const MORE_PATTERNS: Bounds = { ...atMost(1.5, { units: 1 }), perMatch: 2, inVain: 0.01 };

/** Ten patterns take one pass over a text, and any number of them two: the other is for texts that they need. */
function patternViolations(events: PatternSetEvents): readonly string[] {
  const [ten, hundred, thousand] = PATTERN_SET_SIZES.map((size) =>
    costOf(patternSetWorkload(events, size)),
  ) as [EventCost, EventCost, EventCost];
  return [...violationsOf(ten, hundred, PATTERNS), ...violationsOf(hundred, thousand, MORE_PATTERNS)];
}

const PATTERN_EVENTS: readonly PatternSetEvents[] = ['hits', 'misses'];

export const patternLaws: readonly CostLaw[] = PATTERN_EVENTS.map((events) => ({
  name: events,
  violations: () => patternViolations(events),
}));
