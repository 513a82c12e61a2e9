/**
 * Schedules evaluations: which events wait in which lane, which job runs on which thread, and when a job is stuck or
 * has hung. Pure: it does nothing with a thread, and time passes only when a job is looked at.
 */
import type { PersistedEvent } from '../stored/event-json.js';
import { createFairQueue, type FairQueue } from '../limits/fair-queue.js';
import { unitsOf } from './held.js';
import type { Evaluation, GroupWithRules, JobAnswer } from './protocol.js';
import type { DecidedEvent } from './record.js';
import { createSlowness } from './slowness.js';

/** Numbers of a lane. */
export interface LaneSettings {
  readonly threads: number;
  readonly niceness: number;
  /** Most events of a job, and most characters. A job always has one event. */
  readonly jobEvents: number;
  readonly jobUnits: number;
  /** A job that takes longer leaves the lane with its thread, and another thread replaces it. */
  readonly stuckMs: number;
  /** A thread that finishes no event for this long is ended. */
  readonly hangMs: number;
}

/** A lane: threads, and the events that wait for them. */
interface Lane<Thread> extends LaneSettings {
  /** Between two looks at a job. */
  readonly lookMs: number;
  readonly queue: FairQueue<PersistedEvent>;
  /** Threads without a job. */
  readonly idle: Thread[];
  /** Number of its threads, without those that left it. */
  members: number;
  /** Jobs that left it with their threads and still run, the oldest first. */
  readonly away: Set<Job<Thread>>;
}

/** Some events on their way through a thread. Only the schedule changes it. */
export interface Job<Thread> {
  readonly lane: Lane<Thread>;
  readonly thread: Thread;
  readonly events: readonly PersistedEvent[];
  /** The same by project, with the rules that were in force when the job began. */
  groups: readonly GroupWithRules[];
  /** Events that its thread had finished at the last look. */
  progress: number;
  ageMs: number;
  sinceProgressMs: number;
  /** True if its thread is ended because it finished no event for too long. */
  hasHung: boolean;
}

/** Events without a decision, and the reason. */
export interface Failure {
  readonly events: readonly PersistedEvent[];
  readonly error: unknown;
  /** True if the error has nothing to do with the events. */
  readonly isTemporary: boolean;
}

/** The result of a job. Events that are in neither list are back in a queue. */
export interface Outcome {
  readonly decided: readonly DecidedEvent[];
  readonly failures: readonly Failure[];
  /** Whether the thread takes other jobs. If not, the caller ends it. */
  readonly keepsThread: boolean;
}

/** Events of more characters take long to parse, whatever the rules. */
const LARGE_EVENT_UNITS = 131_072;
/** Rules of more characters take long to compile. */
const LARGE_RULES_UNITS = 262_144;
/**
 * Threads that left with a stuck job and still run: each costs a core and a heap. Before another leaves, the oldest is
 * ended.
 */
const MOST_AWAY = 4;
const LEFT_OUT: Evaluation = { decision: null, error: 'the thread left an event out', ms: 0 };

/**
 * The events that one process evaluates, and the threads for it. `Evaluating` makes one, and keeps it.
 *
 * An event that was added is either in the queue of a lane or in a job. It leaves when its rules cannot be loaded, or
 * with an outcome. The life of a job is `next`, `begin`, any number of `look`, and `answered` or `lost`.
 */
export class Schedule<Thread> {
  readonly #quick: Lane<Thread>;
  readonly #slow: Lane<Thread>;
  readonly #start: (lane: LaneSettings) => Thread;
  readonly #slowness = createSlowness();

  constructor(quick: LaneSettings, slow: LaneSettings, start: (lane: LaneSettings) => Thread) {
    this.#quick = emptyLane(quick);
    this.#slow = emptyLane(slow);
    this.#start = start;
  }

  /** @param isFirst - Puts the events before the others of their projects. */
  add(events: readonly PersistedEvent[], isFirst = false): void {
    for (const event of isFirst ? [...events].reverse() : events) {
      const isSlow = unitsOf(event) > LARGE_EVENT_UNITS || this.#slowness.isSlow(event.project);
      (isSlow ? this.#slow : this.#quick).queue.add(event.project, event, isFirst);
    }
  }

  /** Average time that the last events of a project took. */
  averageMs(project: string): number {
    return this.#slowness.average(project);
  }

  /** The next job for a thread that is free, or that may be started; null if no thread or no event is left. */
  next(): Job<Thread> | null {
    const lane = [this.#quick, this.#slow].find(
      ({ queue, idle, members, threads }) => queue.size > 0 && (idle.length > 0 || members < threads),
    );
    if (lane === undefined) return null;
    if (lane.idle.length === 0) this.#addThread(lane);
    const thread = lane.idle.pop() as Thread;
    const events = lane.queue.take(lane.jobEvents, lane.jobUnits, unitsOf);
    return { lane, thread, events, groups: [], progress: 0, ageMs: 0, sinceProgressMs: 0, hasHung: false };
  }

  /**
   * The evaluation of a job begins.
   *
   * @param groups - The events of the job whose rules could be loaded. The others leave it.
   * @param at - Unix ms, as in the other methods.
   */
  begin(job: Job<Thread>, groups: readonly GroupWithRules[], at: number): void {
    job.groups = groups;
    for (const { project, rules } of groups) {
      if (rules.length > LARGE_RULES_UNITS) this.#makeSlow(project, at);
    }
  }

  /**
   * Checks a running job. The caller does so every {@link Lane.lookMs}, and only these calls count as time: if the
   * process was kept from running, or the machine slept, no job is stuck afterwards.
   *
   * @returns `stuck` if the job has just left its lane; a thread that the caller has to end; otherwise `null`.
   */
  look(job: Job<Thread>, progress: number, at: number): 'stuck' | { readonly end: Thread } | null {
    const { lane } = job;
    job.ageMs += lane.lookMs;
    job.sinceProgressMs = progress === job.progress ? job.sinceProgressMs + lane.lookMs : 0;
    job.progress = progress;
    if (job.sinceProgressMs >= lane.hangMs) {
      job.hasHung = true;
      return { end: job.thread };
    }
    if (job.ageMs < lane.stuckMs || lane.away.has(job)) return null;
    const [oldest] = lane.away;
    if (oldest !== undefined && lane.away.size >= MOST_AWAY) return { end: oldest.thread };
    lane.away.add(job);
    lane.members--;
    this.#splitStuck(job, at);
    return 'stuck';
  }

  /** The thread has answered a job. */
  answered(job: Job<Thread>, answers: JobAnswer, at: number): Outcome {
    const decided: DecidedEvent[] = [];
    const failures: Failure[] = [];
    const fail = (events: readonly PersistedEvent[], message: string): void =>
      void failures.push({ events, error: new Error(message), isTemporary: false });
    job.groups.forEach(({ project, version, events }, group) => {
      const answer = answers[group] ?? [];
      if ('error' in answer) {
        fail(events, answer.error);
        return;
      }
      events.forEach((event, i) => {
        const { decision, error, ms } = answer[i] ?? LEFT_OUT;
        this.#slowness.record(project, ms, at);
        if (decision === null) fail([event], error ?? 'unknown');
        else decided.push({ event, decision: { ...decision, rulesVersion: version } });
      });
    });
    return { decided, failures, keepsThread: this.#end(job, true) };
  }

  /**
   * The thread was lost. The event that it was at has failed, and the others wait again.
   *
   * @param progress - Events that it had finished; `null` if it was lost before it could begin.
   */
  lost(job: Job<Thread>, progress: number | null, error: unknown): Outcome {
    const keepsThread = this.#end(job, false);
    const events = eventsOf(job.groups);
    const at = progress ?? 0;
    const failed = progress === null ? events : events.slice(at, at + 1);
    if (progress !== null) this.add([...events.slice(0, at), ...events.slice(at + 1)], true);
    return {
      decided: [],
      failures: [{ events: failed, error, isTemporary: progress === null }],
      keepsThread,
    };
  }

  /** Starts the threads of the quick lane, so that the first events need not wait for them. */
  warm(): void {
    while (this.#quick.members < this.#quick.threads) this.#addThread(this.#quick);
  }

  #addThread(lane: Lane<Thread>): void {
    lane.members++;
    lane.idle.push(this.#start(lane));
  }

  #end(job: Job<Thread>, isAlive: boolean): boolean {
    const { lane, thread } = job;
    const isMember = !lane.away.delete(job);
    if (isMember && isAlive) lane.idle.push(thread);
    else if (isMember) lane.members--;
    return isMember && isAlive;
  }

  #makeSlow(project: string, at: number): void {
    this.#slowness.mark(project, at);
    this.add(this.#quick.queue.takeAllOf(project));
  }

  /** The project that the thread is at becomes slow. The groups after it leave the job and wait again. */
  #splitStuck(job: Job<Thread>, at: number): void {
    let ended = 0;
    const current = job.groups.findIndex(({ events }) => (ended += events.length) > job.progress);
    const kept = current < 0 ? job.groups.length : current + 1;
    const later = eventsOf(job.groups.slice(kept));
    job.groups = job.groups.slice(0, kept);
    this.#makeSlow(job.groups.at(-1)?.project ?? '', at);
    this.add(later, true);
  }
}

const emptyLane = <Thread>(settings: LaneSettings): Lane<Thread> => ({
  ...settings,
  ...{ queue: createFairQueue(), idle: [], members: 0, away: new Set() },
  lookMs: Math.max(1, Math.min(settings.stuckMs, settings.hangMs) / 2),
});

const eventsOf = (groups: readonly GroupWithRules[]): readonly PersistedEvent[] =>
  groups.flatMap(({ events }) => events);
