/** The order in which rules run. */
import { compareCodePoints } from '../unicode.js';
import type { Rule } from './rule.js';

/** Orders rules as they run: by priority, then by id. */
export const inEvaluationOrder = (a: Rule, b: Rule): number =>
  a.priority - b.priority || compareCodePoints(a.id, b.id);
