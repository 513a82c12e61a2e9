/** A dry-run with its progress: the stream of the service is read here, and its end is an answer like any other. */
import { apiThrough, type Input, type Output } from '../../data/index.js';
import { readingStreams } from '../event-stream.js';

export type DryRunReport = Output<'dryRunRule'>;
/** The counts so far. */
export type DryRunSoFar = Omit<DryRunReport, 'samples'>;
type DryRunBody = Input<'dryRunRule'>['body'];

/** Runs a rule over the stored events; the signal ends it. */
export function runDryRun(
  project: string,
  body: DryRunBody,
  signal: AbortSignal,
  progress: (soFar: DryRunSoFar) => void,
): Promise<DryRunReport> {
  const api = apiThrough((send) => readingStreams(send, (data) => progress(data as DryRunSoFar)));
  return api.dryRunRule({ project, body, signal, headers: { accept: 'text/event-stream' } });
}
