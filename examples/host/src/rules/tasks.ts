/**
 * Long work on rules, each piece in a thread of its own: a caller may send patterns that take seconds to analyse, and nobody
 * else shall wait for them. A task ends with a result, by its deadline, or when its caller goes away; then its thread is gone.
 */
import { Worker } from 'node:worker_threads';
import {
  type DryRunEndpoint,
  type DryRunProgress,
  type ImportSummary,
  type PatternOptions,
  RuleError,
  type RuleIssue,
} from 'headgate';
import type { RuleWarning } from './routes.js';
import { type DatabaseOptions, DatabaseUnavailable } from '../db/index.js';
import type { RuleColumns } from './stored.js';

/** A task for a thread. Rules and events are JSON texts, since structured clone cannot copy deep values. */
export type Task =
  | { readonly kind: 'lint'; readonly id: string; readonly rules: string }
  /** `remaining`: rules that the quota has room for. `at`: Unix ms. */
  | { readonly kind: 'import'; readonly file: Uint8Array; readonly remaining: number; readonly at: number }
  | DryRunTask;

/** A dry-run; its thread reads the events by a connection of its own. */
export interface DryRunTask {
  readonly kind: 'dryRun';
  readonly database: DatabaseOptions;
  readonly project: string;
  /** JSON of `{ stage, match, action }`. */
  readonly rule: string;
  readonly windowHours: number;
  /** Unix ms. */
  readonly now: number;
  readonly endpoints: readonly DryRunEndpoint[];
  /** The work that rules may do on one event, as deciding has it; left out, the library's. */
  readonly patterns?: PatternOptions;
}

/** A rule of a file. */
export interface ImportedRule extends RuleColumns {
  readonly id: string;
}

/** The summary of an import with its first problems. */
export interface BoundedSummary extends ImportSummary {
  readonly errorsLeftOut: number;
}

/** The result of each kind of task. */
export interface Results {
  readonly lint: RuleWarning[];
  readonly import: { readonly rules: readonly ImportedRule[]; readonly summary: BoundedSummary };
  readonly dryRun: DryRunEnd;
}

/** The end of a dry-run. */
export interface DryRunEnd {
  /** True where it was told to end before its last event. */
  readonly isCut: boolean;
  readonly progress: DryRunProgress;
  /** JSON of the report, whose samples may be deep. */
  readonly report: string;
}

/** Tells the thread of a dry-run to end with what it has. */
export type Order = 'end';

/** A message from a thread. */
export type Told =
  | { readonly told: 'progress'; readonly progress: DryRunProgress }
  | { readonly told: 'result'; readonly result: Results[keyof Results] }
  | { readonly told: 'invalid'; readonly issues: readonly RuleIssue[] }
  /** The database did not answer. */
  | { readonly told: 'unavailable' }
  | { readonly told: 'failed'; readonly message: string };

/** How a task runs. */
export interface TaskOptions {
  /** Ends the task; it rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Of a dry-run: asks it to end with what it has. */
  readonly end?: AbortSignal;
  /** Of a dry-run. */
  readonly progress?: (progress: DryRunProgress) => void;
}

/** Memory of a thread. A file of 10 MiB takes a tenth of it. */
const MAX_HEAP_MB = 512;

/**
 * Runs a task.
 *
 * @throws RuleError (as a rejection) for a rule that is not valid, and the reason of the signal.
 */
export async function runTask<Kind extends Task['kind']>(
  task: Extract<Task, { readonly kind: Kind }>,
  { signal, end, progress }: TaskOptions,
): Promise<Results[Kind]> {
  signal.throwIfAborted();
  const worker = new Worker(threadUrl(), {
    workerData: task,
    // A thread has no use for the secrets of its process.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  worker.unref();
  let abort = (): void => undefined;
  const askToEnd = (): void => worker.postMessage('end' satisfies Order);
  if (end?.aborted === true) askToEnd();
  end?.addEventListener('abort', askToEnd);
  try {
    return await new Promise<Results[Kind]>((resolve, reject) => {
      abort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', abort);
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('the thread of a task ended before its result')));
      worker.on('message', (message: Told) => {
        if (message.told === 'progress') progress?.(message.progress);
        else if (message.told === 'result') resolve(message.result as Results[Kind]);
        else reject(errorOf(message));
      });
    });
  } finally {
    signal.removeEventListener('abort', abort);
    end?.removeEventListener('abort', askToEnd);
    await worker.terminate();
  }
}

function errorOf(message: Exclude<Told, { readonly told: 'progress' | 'result' }>): Error {
  if (message.told === 'invalid') return new RuleError(message.issues);
  if (message.told === 'unavailable') {
    return new DatabaseUnavailable(new Error('it does not answer a thread'));
  }
  return new Error(message.message);
}

/** The sources are started by a module that compiles them; the build makes one file of each thread. */
const threadUrl = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './rules-thread.mjs' : './rules-thread.js', import.meta.url);
