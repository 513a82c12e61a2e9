/** The door of dry-runs: the effect that a rule would have had on past events. */
export {
  type DryRunEndpoint,
  type DryRunOptions,
  type DryRunReport,
  type DryRunRule,
  type DryRunSample,
  dryRun,
} from './dry-run.js';
export type { DryRunBucket } from './histogram.js';
export type { DryRunProgress } from './progress.js';
