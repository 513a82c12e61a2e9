/**
 * Rules over events: match trees, transforms, routes, tags and decisions.
 *
 * @module headgate
 */
export * from './slim/index.js';
export {
  compareRules,
  compileMatch,
  compileRules,
  compileTransform,
  dryRun,
  explainMatch,
  findEvent,
  lintRules,
} from './default-engine.js';
