/** One thread that evaluates, as its owner sees it: a job at a time, its progress, and the rules that it knows. */
import { Worker } from 'node:worker_threads';
import { asksForRawPayload } from '../events/event-json.js';
import type { Group, Job, JobAnswer, ThreadOptions } from './protocol.js';

/** The thread has ended: it ran out of memory, was ended, or could not start. Made by the thread's owner, for its caller. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
  /** True where it ended in the middle of a job, which may be why. */
  readonly hadJob: boolean;

  constructor(hadJob: boolean, cause: unknown) {
    super('the thread that evaluates has ended', { cause });
    this.hadJob = hadJob;
  }
}

/** A group whose rules are sent along where the thread does not have them. */
export interface GroupWithRules extends Group {
  readonly rules: string;
}

/** A thread. One job runs at a time. */
export interface EvaluatorThread {
  /** Resolves when it can take a job. Rejects with {@link ThreadLost}. */
  readonly started: Promise<unknown>;
  /** Rejects with {@link ThreadLost}. */
  run(groups: readonly GroupWithRules[]): Promise<JobAnswer>;
  /** Events of the current job that have ended. */
  progress(): number;
  end(): Promise<void>;
}

/** Options of a thread. */
export interface ThreadSettings extends Omit<ThreadOptions, 'progress'> {
  /** Most characters of rules that the thread keeps, beside those of the current job. */
  readonly maxRuleUnits: number;
  readonly maxHeapMb: number;
}

/** Starts a thread. It does not keep the process alive. */
export function startThread({ maxRuleUnits, maxHeapMb, ...options }: ThreadSettings): EvaluatorThread {
  const progress = new SharedArrayBuffer(4);
  const worker = new Worker(threadUrl(), {
    workerData: { ...options, progress } satisfies ThreadOptions,
    execArgv: [],
    // A thread has no use for the secrets of its process.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  worker.unref();
  const known = createKnownRules(maxRuleUnits);
  const started = withResolvers<undefined>();
  started.promise.catch(() => undefined);
  let current: PromiseWithResolvers<JobAnswer> | null = null;
  let lost: ThreadLost | null = null;
  let ending: Promise<number> | null = null;
  const fail = (cause: unknown): void => {
    lost ??= new ThreadLost(current !== null, cause);
    started.reject(lost);
    current?.reject(lost);
  };
  worker.on('message', (answer: JobAnswer | 'started') => {
    if (answer === 'started') started.resolve(undefined);
    else current?.resolve(answer);
  });
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`exit code ${code}`)));
  return {
    started: started.promise,
    async run(groups) {
      if (lost !== null) throw new ThreadLost(false, lost);
      Atomics.store(new Int32Array(progress), 0, 0);
      worker.postMessage(known.jobOf(groups));
      current = withResolvers<JobAnswer>();
      try {
        return await current.promise;
      } finally {
        current = null;
      }
    },
    progress: () => Atomics.load(new Int32Array(progress), 0),
    async end() {
      await (ending ??= worker.terminate());
    },
  };
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

/** The build makes one file of each; the sources are compiled by a loader. */
const threadUrl = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './thread.mjs' : './thread.js', import.meta.url);

/** The rule sets that a thread has: least recently used first, bounded by the size of their texts. */
function createKnownRules(maxUnits: number): { jobOf(groups: readonly GroupWithRules[]): Job } {
  const known = new Map<string, { readonly version: number; readonly units: number }>();
  let units = 0;
  const remove = (project: string): void => {
    units -= known.get(project)?.units ?? 0;
    known.delete(project);
  };
  /** A group as it is sent: rules only if the thread lacks them, raw payloads only if rules read them. */
  const sent = ({ project, version, rules, events }: GroupWithRules): Group => {
    const isKnown = known.get(project)?.version === version;
    remove(project);
    known.set(project, { version, units: rules.length });
    units += rules.length;
    return {
      project,
      version,
      rules: isKnown ? null : rules,
      events: asksForRawPayload(rules) ? events : events.map(withoutRawPayload),
    };
  };
  return {
    jobOf(groups) {
      const forget: string[] = [];
      const needed = new Set(groups.map(({ project }) => project));
      const prepared = groups.map(sent);
      for (const project of known.keys()) {
        if (units <= maxUnits) break;
        if (needed.has(project)) continue;
        remove(project);
        forget.push(project);
      }
      return { forget, groups: prepared };
    },
  };
}

const withoutRawPayload = <Event extends Group['events'][number]>(event: Event): Event => ({
  ...event,
  rawPayload: null,
});
