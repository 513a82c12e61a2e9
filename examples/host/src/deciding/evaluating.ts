/**
 * Evaluates events in threads, as the schedule says: loads the rules of each job, and starts, watches and ends threads.
 */
import { DatabaseUnavailable } from '../db/index.js';
import type { PersistedEvent } from '../stored/event-json.js';
import { grouped } from './grouped.js';
import { BACKGROUND, ThreadLost } from '../threads/index.js';
import type { VersionedDecision } from './decision.js';
import { type EvaluatorThread, startEvaluator } from './evaluator-thread.js';
import type { GroupWithRules, RulesText } from './protocol.js';
import type { Recorder } from './recorder.js';
import { type Failure, type Job, type Outcome, Schedule } from './schedule.js';

/** Numbers that a host may choose. */
export interface EvaluatingSettings {
  /** Work that the patterns of one rule may do on one event. */
  readonly budget: number;
  /** Work that all rules together may do on one event. */
  readonly eventBudget: number;
  /** Threads for projects whose events are quick to decide, and for the others. */
  readonly quickThreads: number;
  readonly slowThreads: number;
  /** A job in the quick lane that takes longer is moved out of it. */
  readonly stuckMs: number;
  /** A thread that finishes no event for this long is ended. */
  readonly hangMs: number;
}

/** Dependencies, and where events go from here. */
export interface EvaluatingParts {
  readonly settings: EvaluatingSettings;
  readonly now: () => number;
  readonly rules: { current(project: string): Promise<RulesText> };
  readonly recorder: Pick<Recorder, 'add' | 'postpone' | 'size'>;
  readonly metrics: { threadReplaced(reason: 'stuck' | 'hung' | 'lost'): void };
  readonly report: (error: unknown, about: string) => void;
}

const QUICK = { niceness: 0, jobEvents: 50, jobUnits: 1_048_576 };
const SLOW = { niceness: BACKGROUND, jobEvents: 1, jobUnits: Infinity, stuckMs: Infinity };
/** No job starts while more decisions than this wait to be recorded. */
const MAX_UNRECORDED = 200;
/** Events that could not be evaluated, because the database or a thread was missing, wait this long. */
const RETRY_MS = 250;

/**
 * The events that one process evaluates, and the threads that do it. `createDeciding` makes one, and ends it when it
 * stops. Threads start with the first events, or with `warm`.
 */
export class Evaluating {
  readonly #parts: EvaluatingParts;
  readonly #schedule: Schedule<EvaluatorThread>;
  readonly #threads = new Set<EvaluatorThread>();
  readonly #running = new Set<Promise<void>>();
  readonly #askers = new Map<PersistedEvent, Asker>();
  #isDraining = false;

  constructor(parts: EvaluatingParts) {
    const { budget, eventBudget, quickThreads, slowThreads, stuckMs, hangMs } = parts.settings;
    this.#parts = parts;
    const quick = { ...QUICK, threads: quickThreads, stuckMs, hangMs };
    const slow = { ...SLOW, threads: slowThreads, hangMs };
    this.#schedule = new Schedule(quick, slow, ({ niceness }) => {
      const thread = startEvaluator({ budget, eventBudget }, niceness);
      this.#threads.add(thread);
      return thread;
    });
  }

  /** Evaluates events, each at its turn. */
  add(events: readonly PersistedEvent[], isFirst?: boolean): void {
    this.#schedule.add(events, isFirst);
    this.pump();
  }

  /** Evaluates an event for the caller. Nothing is recorded. */
  ask(event: PersistedEvent): Promise<VersionedDecision> {
    return new Promise((resolve, reject) => {
      this.#askers.set(event, { resolve, reject });
      this.add([event]);
    });
  }

  /** Starts the jobs that may start. */
  pump(): void {
    while (!this.#isDraining && this.#parts.recorder.size <= MAX_UNRECORDED) {
      const job = this.#schedule.next();
      if (job === null) return;
      const work = this.#run(job).finally(() => {
        this.#running.delete(work);
        this.pump();
      });
      this.#running.add(work);
    }
  }

  /** Starts the threads of the quick lane, so that the first events need not wait for them. */
  warm(): void {
    this.#schedule.warm();
  }

  /** Average time that the last events of a project took. */
  averageMs(project: string): number {
    return this.#schedule.averageMs(project);
  }

  /** Starts no more jobs. Resolves when those that run have ended. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    await Promise.allSettled(this.#running);
  }

  /** Ends all threads. */
  async end(): Promise<void> {
    await Promise.allSettled([...this.#threads].map((thread) => thread.end()));
  }

  async #run(job: Job<EvaluatorThread>): Promise<void> {
    const { rules, now } = this.#parts;
    const { groups, failures } = await withRules(job.events, rules);
    this.#schedule.begin(job, groups, now());
    this.#passOn([], failures);
    const isEmpty = groups.length === 0;
    const outcome = isEmpty ? this.#schedule.answered(job, [], now()) : await this.#evaluate(job);
    this.#passOn(outcome.decided, outcome.failures);
    if (outcome.keepsThread) return;
    this.#threads.delete(job.thread);
    await job.thread.end();
  }

  async #evaluate(job: Job<EvaluatorThread>): Promise<Outcome> {
    const { now, report, metrics } = this.#parts;
    const { thread, lane, groups } = job;
    let watch: NodeJS.Timeout | undefined;
    try {
      await thread.started;
      watch = setInterval(() => this.#look(job), lane.lookMs).unref();
      return this.#schedule.answered(job, await thread.run(groups), now());
    } catch (error) {
      const hadJob = error instanceof ThreadLost && error.hadJob;
      if (!hadJob) report(error, 'starting a thread');
      metrics.threadReplaced(job.hasHung ? 'hung' : 'lost');
      return this.#schedule.lost(job, hadJob ? thread.progress() : null, error);
    } finally {
      clearInterval(watch);
    }
  }

  #look(job: Job<EvaluatorThread>): void {
    const found = this.#schedule.look(job, job.thread.progress(), this.#parts.now());
    if (found === 'stuck') {
      this.#parts.metrics.threadReplaced('stuck');
      this.pump();
    } else if (found !== null) {
      void found.end.end();
    }
  }

  /**
   * Answers callers that only ask, and passes the other events on. After a temporary error they wait and are tried
   * again.
   */
  #passOn(decided: Outcome['decided'], failures: Outcome['failures']): void {
    const { recorder } = this.#parts;
    for (const { event, decision } of decided) this.#askers.get(event)?.resolve(decision);
    recorder.add(decided.filter(({ event }) => !this.#askers.delete(event)));
    for (const { events, error, isTemporary } of failures) {
      for (const event of events) this.#askers.get(event)?.reject(error);
      const own = events.filter((event) => !this.#askers.delete(event));
      if (isTemporary) setTimeout(() => this.add(own, true), RETRY_MS).unref();
      else recorder.postpone(own, error);
    }
  }
}

/** A caller that only asks for a decision. */
interface Asker {
  resolve(decision: VersionedDecision): void;
  reject(error: unknown): void;
}

/** The events of a job by project, with the rules that are in force now. */
async function withRules(
  events: readonly PersistedEvent[],
  rules: EvaluatingParts['rules'],
): Promise<{ readonly groups: readonly GroupWithRules[]; readonly failures: readonly Failure[] }> {
  const groups: GroupWithRules[] = [];
  const failures: Failure[] = [];
  const load = async ([project, own]: readonly [string, typeof events]): Promise<void> => {
    try {
      const { version, text } = await rules.current(project);
      groups.push({ project, version, rules: text, events: own });
    } catch (error) {
      failures.push({ events: own, error, isTemporary: error instanceof DatabaseUnavailable });
    }
  };
  await Promise.all([...grouped(events, ({ project }) => project)].map(load));
  return { groups, failures };
}
