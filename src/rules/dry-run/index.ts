export {
  type DryRunEndpoint,
  type DryRunOptions,
  type DryRunReport,
  type DryRunRule,
  type DryRunSample,
  dryRun,
} from './dry-run.js';
