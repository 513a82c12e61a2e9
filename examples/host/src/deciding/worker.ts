/** One thread that evaluates, as its owner sees it: a job at a time, its progress, and the rules that it knows. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Group, Job, JobAnswer, ThreadOptions } from './protocol.js';

/** The thread ended in the middle of a job: it ran out of memory, or was ended. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
}

/** A group whose rules are sent along where the thread does not have them. */
export interface GroupWithRules extends Group {
  readonly rules: string;
}

/** A thread. One job runs at a time. */
export interface EvaluatorThread {
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
    execArgv: execArgv(),
    // A thread has no use for the secrets of its process.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  worker.unref();
  const known = createKnownRules(maxRuleUnits);
  let current: PromiseWithResolvers<JobAnswer> | null = null;
  let lost: ThreadLost | null = null;
  const fail = (cause: unknown): void => {
    lost ??= new ThreadLost('the thread has ended', { cause });
    current?.reject(lost);
  };
  worker.on('message', (answer: JobAnswer) => current?.resolve(answer));
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`exit code ${code}`)));
  return {
    async run(groups) {
      if (lost !== null) throw lost;
      current = withResolvers<JobAnswer>();
      worker.postMessage(known.jobOf(groups));
      return current.promise;
    },
    progress: () => Atomics.load(new Int32Array(progress), 0),
    async end() {
      await worker.terminate();
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

const isSource = import.meta.url.endsWith('.ts');

/** The sources have the thread beside this file; the build makes one file of each. */
const threadUrl = (): URL => new URL(isSource ? './thread.ts' : './thread.js', import.meta.url);

/** Sources are compiled as they load. */
const execArgv = (): string[] =>
  isSource ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] : [];

/** The rule sets that a thread has: least recently used first, bounded by the size of their texts. */
function createKnownRules(maxUnits: number): { jobOf(groups: readonly GroupWithRules[]): Job } {
  const known = new Map<string, { readonly version: number; readonly units: number }>();
  let units = 0;
  const remove = (project: string): void => {
    units -= known.get(project)?.units ?? 0;
    known.delete(project);
  };
  const sent = (group: GroupWithRules): Group => {
    const { project, version, rules } = group;
    const has = known.get(project)?.version === version;
    remove(project);
    known.set(project, { version, units: rules.length });
    units += rules.length;
    return has ? { ...group, rules: null } : group;
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
