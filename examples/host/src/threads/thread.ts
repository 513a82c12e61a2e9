/** One thread: started with a worker's file, given a job at a time, and ended. */
import { Worker as NodeWorker } from 'node:worker_threads';
import { RuleError } from 'headgate';
import { Problem } from '../errors/problem.js';
import {
  type Answer,
  DONE,
  type InputOf,
  type JobName,
  type Order,
  OVER,
  type PlainError,
  type ResultOf,
  type ThreadData,
  type ToldOf,
  type Worker,
} from './messages.js';

/**
 * The thread has ended: it ran out of memory, was ended, or could not start. Created by the thread's owner, for its
 * caller.
 */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
  /** True if it ended in the middle of a job, which may be why. */
  readonly hadJob: boolean;

  constructor(hadJob: boolean, cause: unknown) {
    super('the thread has ended', { cause });
    this.hadJob = hadJob;
  }
}

/** The worker of a thread, and its limits. */
export interface ThreadOptions<W extends Worker> {
  /** The worker's file as it is built: `new URL('./…-worker.js', import.meta.url)`. */
  readonly file: URL;
  /** Given to the worker. Structured clone copies it. */
  readonly data: Parameters<W>[0];
  /** How much the thread gives way to others on Linux, from 0 to 19; see nice(1). @defaultValue 0 */
  readonly niceness?: number;
  /** @defaultValue Node's own limit */
  readonly maxHeapMb?: number;
  /** Errors of jobs that arrive as such, by name, beside `Problem` and `RuleError`. Others arrive as `Error`. */
  readonly errors?: Readonly<Record<string, new (cause: Error) => Error>>;
}

/** A thread. It does not keep the process alive. */
export interface Thread<W extends Worker> {
  /** Resolves when it can take a job. Rejects with {@link ThreadLost}. */
  readonly started: Promise<void>;
  /** True once it has ended, or is about to. */
  readonly isOver: boolean;
  /**
   * Runs a job; the one before it has ended.
   *
   * @param told - Called with the job's reports about its progress.
   * @throws (as a rejection) the job's error, or {@link ThreadLost}
   */
  run<Name extends JobName<W>>(
    name: Name,
    input: InputOf<W, Name>,
    told?: (told: ToldOf<W, Name>) => void,
  ): Promise<ResultOf<W, Name>>;
  /** Tells the current job to end with what it has. */
  finish(): void;
  /** Parts of the current job, or of the last one, that are done. */
  progress(): number;
  /** Ends it at once. Resolves when it is gone. */
  end(): Promise<void>;
}

/** The build makes one file of each worker; from the sources, one file starts them all. */
const IS_SOURCE = import.meta.url.endsWith('.ts');
const START = new URL('./start.mjs', import.meta.url);

export function startThread<W extends Worker>(options: ThreadOptions<W>): Thread<W> {
  const { file, data, niceness = 0, maxHeapMb, errors = {} } = options;
  const state = new Int32Array(new SharedArrayBuffer(8));
  const workerData: ThreadData = { data, niceness, state, source: file.href.replace(/js$/, 'ts') };
  const worker = new NodeWorker(IS_SOURCE ? START : file, {
    workerData,
    execArgv: [],
    // A thread has no use for the secrets of its process.
    env: {},
    resourceLimits: maxHeapMb === undefined ? {} : { maxOldGenerationSizeMb: maxHeapMb },
  });
  worker.unref();
  let current: Call | null = null;
  let lost: ThreadLost | null = null;
  let isEnding = false;
  const started = new Promise<void>((resolve, reject) => {
    const fail = (cause: unknown): void => {
      lost ??= new ThreadLost(current !== null, cause);
      reject(lost);
      current?.reject(lost);
    };
    worker.on('message', (answer: Answer) => {
      if (answer.kind === 'started') resolve();
      else if (answer.kind === 'told') current?.told?.(answer.told as never);
      else if (answer.kind === 'result') current?.resolve(answer.result as never);
      else current?.reject(errorOf(answer.error, errors));
    });
    worker.on('error', fail);
    worker.on('exit', (code) => fail(new Error(`exit code ${code}`)));
  });
  started.catch(() => undefined);
  const post = (order: Order): void => worker.postMessage(order);
  return {
    started,
    get isOver() {
      return isEnding || lost !== null;
    },
    async run(job, input, told) {
      if (lost !== null) throw new ThreadLost(false, lost);
      state.fill(0);
      try {
        return await new Promise<never>((resolve, reject) => {
          post({ job, input });
          current = { resolve, reject, told };
        });
      } finally {
        current = null;
      }
    },
    finish() {
      Atomics.store(state, OVER, 1);
      post('over');
    },
    progress: () => Atomics.load(state, DONE),
    async end() {
      isEnding = true;
      await worker.terminate();
    },
  };
}

/** The caller of the job that runs. */
interface Call {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
  readonly told: ((told: never) => void) | undefined;
}

function errorOf(error: PlainError, known: NonNullable<ThreadOptions<Worker>['errors']>): Error {
  if ('details' in error) return new Problem(error.code, error.message, error.details);
  if ('issues' in error) return new RuleError(error.issues);
  const Known = known[error.name];
  return Known === undefined
    ? new Error(error.message)
    : new Known(new Error(`in a thread: ${error.message}`));
}
