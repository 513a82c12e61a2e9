/**
 * Rules and the texts of events that meet them: benches time them, tests count what they cost. The same shape and size
 * give the same workload on every machine.
 */
import type { Rule } from '../../src/index.js';
import { eventTexts } from './events.js';
import { Patterns } from './patterns.js';
import { Random } from './random.js';
import { rulesOf } from './rules.js';
import { actionOf, type Shape } from './shapes.js';

export interface Workload {
  readonly rules: readonly Rule[];
  /** Events of about 1 KB as JSON, no two the same. */
  readonly texts: readonly string[];
}

export interface WorkloadSize {
  readonly rules: number;
  readonly events: number;
}

/** Rules of a shape, and the texts of events of which as many as the shape says are made to match a rule. */
export function workloadOf(shape: Shape, { rules: count, events }: WorkloadSize): Workload {
  const random = new Random(count);
  const patterns = new Patterns();
  const rules = rulesOf(
    random,
    count,
    (nth) => shape.match({ random, rules: count, patterns }, nth),
    actionOf(shape),
  );
  const texts = eventTexts(random, events, (event) => {
    if (random.chance(shape.planted)) patterns.plant(event, random.pick(rules).match, random);
  });
  return { rules, texts };
}
