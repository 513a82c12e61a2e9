/**
 * The rules and events of the benches by name, for tests that count what they cost. Nothing here reads a clock, and
 * each workload is the same on every machine.
 */
import { cliffs, spreadOf } from '../cliffs/cliffs.js';
import { type Change, changesOf } from '../webhooks/changes.js';
import { parsedShapes } from '../webhooks/parsed-shapes.js';
import { patternSet, PATTERN_SET_SIZES, type PatternSetEvents } from '../webhooks/pattern-sets.js';
import { payloadShapes, payloadWorkload } from '../webhooks/payload-shapes.js';
import { Random } from '../webhooks/random.js';
import { type Shape, shapes } from '../webhooks/shapes.js';
import { type Workload, workloadOf, type WorkloadSize } from '../webhooks/workload.js';

export { PATTERN_SET_SIZES, type Change, type PatternSetEvents, type Workload, type WorkloadSize };
export { parseEvent } from '../webhooks/events.js';

/** A shape at any size. */
export interface ScalingWorkload {
  readonly name: string;
  readonly make: (size: WorkloadSize) => Workload;
}

const scaling = (shape: Shape): ScalingWorkload => ({
  name: shape.name,
  make: (size) => workloadOf(shape, size),
});

/** The shapes of bench/flat, but for the one without an index. */
export const flatWorkloads: readonly ScalingWorkload[] = shapes
  .filter(({ plainly }) => !plainly)
  .map(scaling);

/** The shapes of bench/parsed. */
export const parsedWorkloads: readonly ScalingWorkload[] = parsedShapes.map(scaling);

/** The shapes of bench/webhook-payloads; the events are GitHub's payloads, or the first of them. */
export const payloadWorkloads: readonly ScalingWorkload[] = payloadShapes.map((shape) => ({
  name: shape.name,
  make({ rules: count, events }) {
    const { rules, texts } = payloadWorkload(shape, count);
    return { rules, texts: texts.slice(0, events) };
  },
}));

/** A cliff of bench/cliffs: all of its rules, and `few` of them spread over all; the events are the same. */
export interface CliffWorkload {
  readonly name: string;
  readonly make: (few?: number) => Workload & { readonly fewRules: Workload['rules'] };
}

export const cliffWorkloads: readonly CliffWorkload[] = cliffs.map(({ name, make }) => ({
  name,
  make(few = 10) {
    const { rules, texts } = make(new Random(11));
    return { rules, texts, fewRules: spreadOf(rules, few) };
  },
}));

/** Changes of one rule at a time, as bench/compile makes them. */
export const changes = (rules: Workload['rules'], count: number): readonly Change[] =>
  changesOf(new Random(3), rules, count);

/** Few enough that a test can choose them. */
const PATTERN_SET_EVENTS = 64;

/** The first `size` patterns of bench/many-patterns; the events are the same at any size. */
export function patternSetWorkload(events: PatternSetEvents, size: number): Workload {
  const { rules, texts } = patternSet(events, PATTERN_SET_EVENTS);
  return { rules: rules.slice(0, size), texts };
}
