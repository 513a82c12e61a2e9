/**
 * The threads that try rules: warm while somebody types, gone half a minute later. Projects take turns, and none has more
 * than one thread at a time. A task that does not end is ended with its thread.
 */
import { Worker } from 'node:worker_threads';
import { RuleError } from 'headgate';
import { Problem } from '../ground/problem.js';
import type { Job, Results, Task, ThreadOptions, Told } from './tasks.js';

/** The threads of one process. */
export interface PreviewThreads {
  /**
   * Runs a task.
   *
   * @param signal - Fires when nobody waits for the result any more; then it rejects with the signal's reason.
   * @throws (as a rejection) RuleError for what is not valid; Problem `too_many_requests`, `overloaded`, `dry_run_timeout`.
   */
  run<Kind extends Task['kind']>(
    project: string,
    task: Extract<Task, { readonly kind: Kind }>,
    signal: AbortSignal,
  ): Promise<Results[Kind]>;
  /** Ends all threads. */
  close(): void;
}

/** Bounds, which tests may set. */
export interface ThreadSettings extends Partial<ThreadOptions> {
  /** A task that takes longer is ended with its thread. @defaultValue `5_000` */
  readonly maxMs?: number;
}

const THREADS = 2;
/** Tasks that a project may have waiting or at work, and all together. */
const MOST_OF_PROJECT = 8;
const MOST_OF_PROCESS = 64;
const MAX_MS = 5_000;
const END_AFTER_MS = 1_000;
const IDLE_MS = 30_000;
/** Memory of a thread. */
const MAX_HEAP_MB = 256;

/** A task that waits or runs. */
interface Entry {
  readonly project: string;
  readonly job: Job;
  readonly settle: (told: Told) => void;
  readonly fail: (error: unknown) => void;
}

export function createPreviewThreads({
  maxMs = MAX_MS,
  endAfterMs = END_AFTER_MS,
  ...rest
}: ThreadSettings): PreviewThreads {
  const options = { ...rest, endAfterMs };
  /** In the order of their turns. */
  const waiting: Entry[] = [];
  const running = new Map<string, Entry>();
  const threads = new Set<Thread>();
  const idle: Thread[] = [];
  let isClosed = false;

  const assertRoom = (project: string): void => {
    const own = waiting.filter((entry) => entry.project === project).length;
    if (own + (running.has(project) ? 1 : 0) >= MOST_OF_PROJECT) {
      const message = `${MOST_OF_PROJECT} trials of this project are under way: wait for one to end`;
      throw new Problem('too_many_requests', message, { retryAfter: 1 });
    }
    if (waiting.length + running.size >= MOST_OF_PROCESS) {
      throw new Problem('overloaded', 'too many trials are under way: try again', { retryAfter: 1 });
    }
  };
  /** The next entry whose project has no thread; its project's other entries go to the end. */
  const takeNext = (): Entry | null => {
    const at = waiting.findIndex(({ project }) => !running.has(project));
    const [next] = at < 0 ? [] : waiting.splice(at, 1);
    if (next === undefined) return null;
    const own = waiting.filter(({ project }) => project === next.project);
    const others = waiting.filter(({ project }) => project !== next.project);
    waiting.splice(0, waiting.length, ...others, ...own);
    return next;
  };
  const nextThread = (): Thread | null => {
    const found = idle.pop();
    if (found !== undefined) return found;
    if (threads.size >= THREADS) return null;
    const started = startThread(options, (thread) => {
      threads.delete(thread);
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    });
    threads.add(started);
    return started;
  };
  const pump = (): void => {
    while (waiting.some(({ project }) => !running.has(project))) {
      const thread = nextThread();
      if (thread === null) return;
      const entry = takeNext() as Entry;
      running.set(entry.project, entry);
      void thread.run(entry, maxMs).then((isUsable) => {
        running.delete(entry.project);
        if (isUsable && !isClosed) idle.push(thread);
        pump();
      });
    }
  };
  return {
    async run<Kind extends Task['kind']>(
      project: string,
      task: Extract<Task, { readonly kind: Kind }>,
      signal: AbortSignal,
    ): Promise<Results[Kind]> {
      signal.throwIfAborted();
      assertRoom(project);
      const cancelled = new SharedArrayBuffer(4);
      let abort = (): void => undefined;
      const result = new Promise<Results[Kind]>((resolve, reject) => {
        const settle = (told: Told): void => {
          if (told.told === 'result') resolve(told.result as Results[Kind]);
          else if (told.told === 'invalid') reject(new RuleError(told.issues));
          else reject(new Error(told.told === 'failed' ? told.message : 'an answer without a question'));
        };
        const entry = { project, job: { task, cancelled }, settle, fail: reject };
        abort = () => {
          Atomics.store(new Int32Array(cancelled), 0, 1);
          if (waiting.includes(entry)) waiting.splice(waiting.indexOf(entry), 1);
          reject(signal.reason as Error);
        };
        waiting.push(entry);
      });
      signal.addEventListener('abort', abort);
      pump();
      return result.finally(() => signal.removeEventListener('abort', abort));
    },
    close() {
      isClosed = true;
      const stopping = new Problem('stopping', 'the service is stopping; try again', { retryAfter: 1 });
      for (const { fail } of [...waiting.splice(0), ...running.values()]) fail(stopping);
      for (const thread of threads) thread.end();
    },
  };
}

/** One thread. */
interface Thread {
  /** Runs one task, and returns whether the thread may take another. */
  run(entry: Entry, maxMs: number): Promise<boolean>;
  end(): void;
}

/** @param ended - Called once, when the thread is gone or is about to be. */
function startThread(options: ThreadOptions, ended: (thread: Thread) => void): Thread {
  const worker = new Worker(threadUrl(), {
    workerData: options,
    // A thread has no use for the secrets of its process.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  worker.unref();
  let isGone = false;
  let [told, lost] = [(_: Told): void => undefined, (): void => undefined];
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(timer);
    if (isGone) return;
    isGone = true;
    ended(thread);
    lost();
    void worker.terminate();
  };
  const after = (ms: number, act: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
    timer.unref();
  };
  // It says that it has started before anything else.
  const started = new Promise<void>((resolve) => (told = () => resolve()));
  worker.on('message', (message: Told) => told(message));
  worker.on('error', end);
  worker.on('exit', end);
  const thread: Thread = {
    async run({ job, settle, fail }, maxMs) {
      const answer = new Promise<Told | null>((resolve) => {
        lost = () => resolve(null);
        void started.then(() => {
          told = resolve;
          after(maxMs, () => {
            fail(tookTooLong());
            end();
          });
          worker.postMessage(job);
        });
      });
      const message = await answer;
      if (message !== null) settle(message);
      else fail(new Problem('overloaded', 'the trial was lost: try again', { retryAfter: 1 }));
      if (!isGone) after(IDLE_MS, end);
      return !isGone;
    },
    end,
  };
  return thread;
}

const tookTooLong = (): Problem =>
  new Problem('dry_run_timeout', 'the rule takes too long: choose patterns that are simpler');

/** The sources are started by a module that compiles them; the build makes one file of each thread. */
const threadUrl = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './preview-thread.mjs' : './preview-thread.js', import.meta.url);
