/** The door of dry-runs: what a rule would have done to past events. */
export {
  type DryRunEndpoint,
  type DryRunOptions,
  type DryRunReport,
  type DryRunRule,
  type DryRunSample,
  dryRun,
} from './dry-run.js';
