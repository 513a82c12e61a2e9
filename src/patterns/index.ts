/** RE2 patterns: one language, one cost and one budget, whichever engine runs them. */
export { checkPattern } from './check.js';
export { needsEngine, type Use } from './needs-engine.js';
export {
  compilePattern,
  budgetOf,
  decidedUpTo,
  type Pattern,
  type PatternOptions,
  type Work,
} from './pattern.js';
export { FOUND, walkPattern, type PatternWalk } from './automaton/walk.js';
export { alphabetOf } from './set/alphabet.js';
export type { CodePoints } from './code-points.js';
export { compilePatternSet, type PatternSet } from './pattern-set.js';
export { Texts, type ScanProbe, type TextFinder } from './texts.js';
export {
  MAX_GROWTH,
  compileFilter,
  compileRedaction,
  type Filter,
  type Redaction,
  type Redactor,
} from './redaction.js';
export { charge } from './work.js';
export { PatternError, type PatternProblem, type PatternProblemCode } from './problem.js';
export type { Clause } from './literals.js';
export type { EngineProgram, PatternEngine, PatternMatch } from './port.js';
