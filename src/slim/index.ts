/**
 * `headgate` without re2js, for rules whose patterns are small, or run on an engine that the host brings. The names are
 * the same; a pattern that needs an engine is an issue, `needs_engine`, where `patterns.engine` is left out.
 *
 * @module headgate/slim
 */
export { HeadgateError, OptionError, type Issue, type OptionErrorCode } from '../errors.js';
export type { Json } from '../json.js';
export { JsonError } from '../json-error.js';
export { parseJson } from '../json-parse.js';
export { type JsonToken, JsonTokens } from '../json-tokens.js';
export type { LineAndColumn } from '../lines.js';
export { stringifyJson } from '../json-text.js';
export {
  checkPattern,
  type EngineProgram,
  type PatternEngine,
  type PatternMatch,
  type PatternOptions,
  type PatternProblem,
  type PatternProblemCode,
} from '../patterns/index.js';
export * from '../rules/index.js';
