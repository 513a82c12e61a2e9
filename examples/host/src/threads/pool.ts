/** A pool: the threads of one worker, in which projects take turns. */
import { Problem } from '../errors/problem.js';
import { createTurns, type TurnsOptions } from '../limits/turns.js';
import type { InputOf, JobName, ResultOf, ToldOf, Worker } from './messages.js';
import { startThread, type Thread, ThreadLost, type ThreadOptions } from './thread.js';

/** A worker and its limits. */
export interface PoolOptions<W extends Worker> extends ThreadOptions<W> {
  /** How many jobs run at once, each in a thread, and how many may wait. @defaultValue no bounds */
  readonly turns?: TurnsOptions;
  /** A job that takes longer is ended with its thread. @defaultValue never */
  readonly maxMs?: number;
  /** The error of such a job. */
  readonly tooLong?: () => Error;
  /** A thread without a job is ended after this time; with 0, each job has a thread of its own. @defaultValue never */
  readonly idleMs?: number;
  /** The error of a job whose thread ended for another reason. @defaultValue ThreadLost */
  readonly lost?: () => Error;
}

/** The circumstances of one job. */
export interface Call<Told = never> {
  /** The project whose turn it takes; left out for jobs of no project. */
  readonly project?: string;
  /**
   * Fires when nobody waits for the result any more. A job that waits is dropped; one that runs is told to end, or ends
   * with its thread if that is its own. Then the call rejects with the signal's reason.
   */
  readonly signal?: AbortSignal;
  /** Fires when the job is to end with what it has. */
  readonly finish?: AbortSignal;
  /** Called with the job's reports about its progress. */
  readonly told?: (told: Told) => void;
}

/** The threads of a worker. They start with the first jobs. */
export interface Pool<W extends Worker> {
  /**
   * Runs a job when it is its project's turn.
   *
   * @throws (as a rejection) the job's error; Problem `too_many_requests` or `overloaded` if too many wait, `stopping`
   * once the pool is closed.
   */
  run<Name extends JobName<W>>(
    name: Name,
    input: InputOf<W, Name>,
    call?: Call<ToldOf<W, Name>>,
  ): Promise<ResultOf<W, Name>>;
  /** Ends all threads, and with them the jobs. */
  close(): Promise<void>;
}

const UNBOUNDED: TurnsOptions = {
  ...{ atOnce: Infinity, ofProject: Infinity, waiting: Infinity, allWaiting: Infinity },
  of: 'jobs',
};

const stopping = (): Problem =>
  new Problem('stopping', 'the service is stopping; try again', { retryAfter: 1 });

export function createPool<W extends Worker>(options: PoolOptions<W>): Pool<W> {
  const turns = createTurns(options.turns ?? UNBOUNDED);
  const threads = createThreads(options);
  const calls = new Set<AbortController>();
  let isClosed = false;
  return {
    async run<Name extends JobName<W>>(
      name: Name,
      input: InputOf<W, Name>,
      { project = '', signal, ...call }: Call<ToldOf<W, Name>> = {},
    ): Promise<ResultOf<W, Name>> {
      if (isClosed) throw stopping();
      signal?.throwIfAborted();
      const over = new AbortController();
      const abort = (): void => over.abort(signal?.reason);
      signal?.addEventListener('abort', abort);
      calls.add(over);
      const work = () => runOn(threads, options, name, input, { ...call, signal: over.signal });
      try {
        return await turns.run(project, work, over.signal);
      } finally {
        calls.delete(over);
        signal?.removeEventListener('abort', abort);
        // A call that was aborted rejects with the reason, even if its job has a result.
        over.signal.throwIfAborted();
      }
    },
    async close() {
      isClosed = true;
      for (const over of calls) over.abort(stopping());
      await threads.close();
    },
  };
}

/** Runs a job in its turn. */
async function runOn<W extends Worker, Name extends JobName<W>>(
  threads: Threads<W>,
  { maxMs, tooLong, idleMs, lost }: PoolOptions<W>,
  name: Name,
  input: InputOf<W, Name>,
  { signal, finish, told }: Call<ToldOf<W, Name>> & { readonly signal: AbortSignal },
): Promise<ResultOf<W, Name>> {
  const thread = threads.take();
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const abort = (): void => (idleMs === 0 ? void thread.end() : thread.finish());
  signal.addEventListener('abort', abort);
  finish?.addEventListener('abort', thread.finish);
  try {
    await thread.started;
    timer = after(maxMs, () => {
      isLate = true;
      void thread.end();
    });
    const running = thread.run(name, input, told);
    if (signal.aborted || finish?.aborted === true) thread.finish();
    return await running;
  } catch (error) {
    if (!(error instanceof ThreadLost)) throw error;
    throw (isLate ? tooLong?.() : lost?.()) ?? error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    finish?.removeEventListener('abort', thread.finish);
    await threads.giveBack(thread);
  }
}

/** The threads of a pool; mutable. */
interface Threads<W extends Worker> {
  /** One that is idle, or a new one. */
  take(): Thread<W>;
  /** Resolves when it is idle or has ended. */
  giveBack(thread: Thread<W>): Promise<void>;
  close(): Promise<void>;
}

function createThreads<W extends Worker>(options: PoolOptions<W>): Threads<W> {
  const { idleMs } = options;
  const all = new Set<Thread<W>>();
  /** Threads without a job, with the timers that end them. */
  const idle = new Map<Thread<W>, NodeJS.Timeout | undefined>();
  let isClosed = false;
  const end = async (thread: Thread<W>): Promise<void> => {
    all.delete(thread);
    idle.delete(thread);
    await thread.end();
  };
  return {
    take() {
      for (const [thread, timer] of [...idle].reverse()) {
        clearTimeout(timer);
        idle.delete(thread);
        if (!thread.isOver) return thread;
        all.delete(thread);
      }
      const started = startThread(options);
      all.add(started);
      return started;
    },
    async giveBack(thread) {
      if (isClosed || thread.isOver || idleMs === 0) return end(thread);
      const timer = after(idleMs, () => void end(thread));
      idle.set(thread, timer);
    },
    async close() {
      isClosed = true;
      for (const timer of idle.values()) clearTimeout(timer);
      await Promise.all([...all].map(end));
    },
  };
}

/** A timer that does not keep the process alive; none if there is no time. */
const after = (ms: number | undefined, act: () => void): NodeJS.Timeout | undefined =>
  ms === undefined ? undefined : setTimeout(act, ms).unref();
