/**
 * Rules over events: match trees, transforms, routes, tags and decisions.
 *
 * @packageDocumentation
 */
export * from './slim/index.js';
export {
  compileMatch,
  compileRules,
  compileTransform,
  dryRun,
  explainMatch,
  lintRules,
} from './default-engine.js';
