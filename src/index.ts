/**
 * Rules over events: match trees, transforms, routes, tags and decisions.
 *
 * @packageDocumentation
 */
export { HeadgateError, OptionError, type Issue, type OptionErrorCode } from './errors.js';
export type { Json } from './json.js';
export {
  checkPattern,
  type EngineProgram,
  type PatternEngine,
  type PatternOptions,
  type PatternProblem,
  type PatternProblemCode,
  type PatternMatch,
} from './patterns/index.js';
export * from './rules/index.js';
