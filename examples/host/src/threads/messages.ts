/** The messages between a thread and its owner, and the errors that cross. */
import type { RuleIssue } from 'headgate';
import { Problem, type ProblemCode, type ProblemDetails } from '../errors/problem.js';

/** The jobs of a worker. Structured clone copies what they take and return, so deep values travel as JSON texts. */
export type Jobs = Readonly<Record<string, (input: never, context: never) => unknown>>;
/** Makes the jobs in the thread, of what the thread was started with. */
export type Worker = (data: never) => Jobs | Promise<Jobs>;

export type JobsOf<W extends Worker> = Awaited<ReturnType<W>>;
export type JobName<W extends Worker> = keyof JobsOf<W> & string;
export type InputOf<W extends Worker, Name extends JobName<W>> = Parameters<JobsOf<W>[Name]>[0];
export type ResultOf<W extends Worker, Name extends JobName<W>> = Awaited<ReturnType<JobsOf<W>[Name]>>;

export type ToldOf<W extends Worker, Name extends JobName<W>> =
  Parameters<JobsOf<W>[Name]>[1] extends JobContext<infer Told> ? Told : never;

/** The second argument of a job. */
export interface JobContext<Told = never> {
  /** True once the job is to end with what it has. */
  isOver(): boolean;
  /** The same for a job that awaits: fires when the event loop runs. */
  readonly over: AbortSignal;
  /** Tells the caller how far the job has come. */
  tell(told: Told): void;
  /** Counts parts of the job that are done, one if left out. The caller can read the count at any time. */
  count(parts?: number): void;
}

/** Given to a thread when it starts. */
export interface ThreadData {
  readonly data: unknown;
  readonly niceness: number;
  /** The state of the current job: 1 once it is to end with what it has, and how much of it is done. */
  readonly state: Int32Array;
  /** The worker's source, for the file that compiles it. */
  readonly source: string;
}

/** Indices of {@link ThreadData.state}. */
export const [OVER, DONE] = [0, 1] as const;

/** To a thread. `over` concerns the current job. */
export type Order = { readonly job: string; readonly input: unknown } | 'over';

/** From a thread. `told` may come any number of times during a job. */
export type Answer =
  | { readonly kind: 'started' }
  | { readonly kind: 'told'; readonly told: unknown }
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly error: PlainError };

/** An error as structured clone can copy it. */
export type PlainError =
  | {
      readonly name: 'Problem';
      readonly code: ProblemCode;
      readonly message: string;
      readonly details: ProblemDetails;
    }
  | { readonly name: 'RuleError'; readonly issues: readonly RuleIssue[] }
  | { readonly name: string; readonly message: string };

/** A worker without rules does not load them for the sake of `instanceof`. */
export function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: 'Error', message: 'unknown' };
  if (error instanceof Problem) {
    return { name: 'Problem', code: error.code, message: error.message, details: error.details };
  }
  if (error.name !== 'RuleError') return { name: error.name, message: error.message };
  const { issues } = error as Error & { readonly issues: readonly RuleIssue[] };
  return {
    name: 'RuleError',
    issues: issues.map(({ code, pointer, message }) => ({ code, pointer, message })),
  };
}
