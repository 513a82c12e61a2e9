/**
 * Searches in a thread, so that requests and deliveries do not wait while events are read and parsed. Projects take turns: each
 * search is bounded, so a project waits for about one search of each other.
 */
import { Worker } from 'node:worker_threads';
import { type DatabaseOptions, DatabaseUnavailable } from '../db/index.js';
import { createFairQueue } from '../ground/fair-queue.js';
import { Problem } from '../ground/problem.js';
import type { RunSearch, Scanned, SearchRequest } from './search.js';
import type { Answer, SearchThreadOptions } from './search-protocol.js';

/** Searches of all projects, in this process. */
export interface Searches {
  readonly search: RunSearch;
  stop(): Promise<void>;
}

/** Searches that may wait; each project has two under way at most. */
const MAX_WAITING = 64;
const MAX_HEAP_MB = 256;
/** A search takes less than a hundredth of this, unless patterns take long to prepare. */
const HANG_MS = 10_000;
const RETRY_SECONDS = 1;

interface Waiting {
  readonly request: SearchRequest;
  readonly signal: AbortSignal;
  readonly resolve: (found: Scanned) => void;
  readonly reject: (error: unknown) => void;
}

/** The thread starts with the first search. */
export function createSearches(database: DatabaseOptions): Searches {
  const queue = createFairQueue<Waiting>();
  let thread: Thread | null = null;
  let isBusy = false;

  const end = async (): Promise<void> => {
    const ended = thread;
    thread = null;
    await ended?.worker.terminate();
  };
  const run = async (request: SearchRequest): Promise<Scanned> => {
    const { worker, started } = (thread ??= startThread({ database }));
    try {
      await started;
      return foundIn(await ask(worker, request));
    } catch (error) {
      if (error instanceof ThreadEnded) await end();
      throw error instanceof ThreadEnded && error.isHung ? overloaded(TOO_LONG) : error;
    }
  };
  const pump = (): void => {
    if (isBusy) return;
    let room = 1;
    const [next] = queue.take(() => room-- > 0);
    if (next === undefined) return;
    isBusy = true;
    const running = next.signal.aborted ? Promise.reject(next.signal.reason as Error) : run(next.request);
    void running.then(next.resolve, next.reject).finally(() => {
      isBusy = false;
      pump();
    });
  };
  return {
    search: (request, signal) =>
      new Promise((resolve, reject) => {
        if (queue.size >= MAX_WAITING) throw overloaded('too many searches are under way: try again');
        queue.add(request.project, { request, signal, resolve, reject });
        pump();
      }),
    async stop() {
      const stopped = new Problem('stopping', 'the service is stopping; try again', { retryAfter: 1 });
      for (const { reject } of queue.take(() => true)) reject(stopped);
      await end();
    },
  };
}

const TOO_LONG = 'the match takes too long to prepare: use fewer patterns, or shorter ones';

const overloaded = (message: string): Problem =>
  new Problem('overloaded', message, { retryAfter: RETRY_SECONDS });

/** The thread cannot answer any more. */
class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
  readonly isHung: boolean;

  constructor(isHung: boolean, cause?: unknown) {
    super('the thread that searches has ended', { cause });
    this.isHung = isHung;
  }
}

/** A thread, and when it can take a search. */
interface Thread {
  readonly worker: Worker;
  /** Rejects with {@link ThreadEnded}. */
  readonly started: Promise<void>;
}

function startThread(options: SearchThreadOptions): Thread {
  const worker = new Worker(threadUrl(), {
    workerData: options,
    execArgv: [],
    // A thread has no use for the secrets of its process.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  worker.unref();
  const started = new Promise<void>((resolve, reject) => {
    const lost = (cause: unknown): void => reject(new ThreadEnded(false, cause));
    worker.once('message', () => resolve()).once('error', lost);
    worker.once('exit', lost);
  });
  // A thread may fail while nobody asks it; the next search finds out.
  worker.on('error', () => undefined);
  return { worker, started };
}

async function ask(worker: Worker, request: SearchRequest): Promise<Answer> {
  const listening = new AbortController();
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const hung = setTimeout(() => reject(new ThreadEnded(true)), HANG_MS);
      listening.signal.addEventListener('abort', () => clearTimeout(hung));
      const lost = (cause: unknown): void => reject(new ThreadEnded(false, cause));
      worker.on('message', resolve).on('error', lost).on('exit', lost);
      listening.signal.addEventListener('abort', () => {
        worker.off('message', resolve).off('error', lost).off('exit', lost);
      });
      worker.postMessage(request);
    });
  } finally {
    listening.abort();
  }
}

function foundIn(answer: Answer): Scanned {
  if ('found' in answer) return answer.found;
  if ('invalid' in answer) throw new Problem('invalid_rule', answer.invalid, answer.details);
  if (answer.isUnavailable) throw new DatabaseUnavailable(new Error('it does not answer a thread'));
  throw new Error(`a search failed: ${answer.failed}`);
}

/** The sources are started by a module that compiles them; the build makes one file of each thread. */
const threadUrl = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './search-thread.mjs' : './search-thread.js', import.meta.url);
