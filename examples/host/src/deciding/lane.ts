/** A lane: threads, and the events that wait for them. Projects take turns. */
import { createFairQueue } from '../ground/fair-queue.js';
import { ThreadLost } from '../threads/index.js';
import type { EvaluatorThread, GroupWithRules } from './evaluator-thread.js';
import type { HeldEvent } from './held.js';
import type { Evaluation } from './protocol.js';

/** The rules of a project at one version. */
export interface RulesText {
  readonly version: number;
  /** JSON text of all rules. */
  readonly text: string;
}

/** Bounds of a lane. */
export interface LaneSettings {
  readonly threads: number;
  /** Most events of a job, and most characters. */
  readonly jobEvents: number;
  readonly jobUnits: number;
  /** A job that takes longer leaves the lane with its thread, and another thread takes its place; null for never. */
  readonly stuckMs: number | null;
  /** A thread that has ended no event for so long is ended. */
  readonly hangMs: number;
}

/** Settings, dependencies and callbacks of a lane. */
export interface LaneParts extends LaneSettings {
  readonly start: () => EvaluatorThread;
  readonly rulesOf: (project: string) => Promise<RulesText>;
  /** An event was evaluated; it may be told twice. */
  readonly evaluated: (held: HeldEvent, evaluation: Evaluation, version: number) => void;
  /** There is no evaluation of these events. */
  readonly failed: (held: readonly HeldEvent[], error: unknown) => void;
  /** These events are to wait again, in whichever lane. */
  readonly returned: (held: readonly HeldEvent[]) => void;
  /** There is no thread for these events now. */
  readonly notStarted: (held: readonly HeldEvent[], error: unknown) => void;
  /** A project holds the lane up. */
  readonly stuck: (project: string) => void;
  /** A thread was replaced, and why. */
  readonly replaced: (reason: 'stuck' | 'hung' | 'lost') => void;
  /** False while as many decisions wait to be recorded as may. */
  readonly mayStart: () => boolean;
}

/** A lane. */
export interface Lane {
  add(held: HeldEvent, isFirst?: boolean): void;
  /** Takes the events of a project out. */
  takeAllOf(project: string): readonly HeldEvent[];
  /** Starts the threads, so that the first events need not wait for them. */
  warm(): void;
  /** Gives work to idle threads. */
  pump(): void;
  /** Starts no more jobs; resolves when those that run have ended, or at the end of their threads. */
  drain(): Promise<void>;
  /** Ends all threads. */
  end(): Promise<void>;
}

/**
 * Threads that have left a lane with a job that took too long, and still run: each costs a core and a heap. The next one
 * waits in the lane until there are fewer.
 */
const MOST_AWAY = 4;

interface JobGroup extends GroupWithRules {
  readonly held: readonly HeldEvent[];
}

/** Threads start with the first events, or with `warm`. */
export function createLane(parts: LaneParts): Lane {
  const queue = createFairQueue<HeldEvent>();
  const idle: EvaluatorThread[] = [];
  const threads = new Set<EvaluatorThread>();
  const running = new Set<Promise<void>>();
  /** Threads of the lane, without those that left it with their job. */
  let members = 0;
  /** Those that left it and still run, the oldest first. */
  const away = new Set<EvaluatorThread>();
  let isDraining = false;

  const startOne = (): EvaluatorThread => {
    members++;
    const started = parts.start();
    threads.add(started);
    return started;
  };
  const nextThread = (): EvaluatorThread | null => {
    const found = idle.pop();
    if (found !== undefined) return found;
    return members < parts.threads ? startOne() : null;
  };
  const remove = async (thread: EvaluatorThread): Promise<void> => {
    threads.delete(thread);
    await thread.end();
  };
  const takeJob = (): readonly HeldEvent[] => {
    let [events, units] = [0, 0];
    return queue.take((held) => {
      if (events > 0 && (events >= parts.jobEvents || units + held.units > parts.jobUnits)) return false;
      events++;
      units += held.units;
      return true;
    });
  };

  /** Runs a job; returns whether the thread may take another. */
  const runOn = async (thread: EvaluatorThread, groups: readonly JobGroup[]): Promise<boolean> => {
    let isMember = true;
    const leave = (): void => {
      isMember = false;
      members--;
    };
    /** Where too many are away, the oldest is ended first, and its event is tried again later. */
    const goAway = (): boolean => {
      const [oldest] = away;
      if (away.size >= MOST_AWAY) {
        void oldest?.end();
        return false;
      }
      away.add(thread);
      leave();
      return true;
    };
    let watch: Watch | null = null;
    try {
      await thread.started;
      watch = watchJob(thread, groups, parts, goAway);
      const answers = await thread.run(groups);
      groups.forEach((group, i) => tell(group, answers[i], parts));
    } catch (error) {
      if (isMember) leave();
      if (error instanceof ThreadLost && error.hadJob) giveBack(groups, thread.progress(), error, parts);
      else parts.notStarted(allOf(groups), error);
      parts.replaced(watch?.hasHung() === true ? 'hung' : 'lost');
    } finally {
      watch?.stop();
      away.delete(thread);
    }
    return isMember;
  };
  const run = async (thread: EvaluatorThread, job: readonly HeldEvent[]): Promise<void> => {
    const groups = await withRules(job, parts);
    if (groups.length === 0 || (await runOn(thread, groups))) idle.push(thread);
    else await remove(thread);
  };
  const pump = (): void => {
    while (!isDraining && queue.size > 0 && parts.mayStart()) {
      const thread = nextThread();
      if (thread === null) return;
      const job = run(thread, takeJob()).finally(() => {
        running.delete(job);
        pump();
      });
      running.add(job);
    }
  };
  return {
    add: (held, isFirst) => queue.add(held.event.project, held, isFirst),
    takeAllOf: (project) => queue.takeAllOf(project),
    warm() {
      while (members < parts.threads) idle.push(startOne());
    },
    pump,
    async drain() {
      isDraining = true;
      await Promise.allSettled(running);
    },
    async end() {
      isDraining = true;
      await Promise.allSettled([...threads].map(remove));
    },
  };
}

const allOf = (groups: readonly JobGroup[]): readonly HeldEvent[] => groups.flatMap(({ held }) => held);

/** The events of a job by project, with the rules that are in force now. */
async function withRules(job: readonly HeldEvent[], parts: LaneParts): Promise<readonly JobGroup[]> {
  const projects = new Map<string, HeldEvent[]>();
  for (const held of job) {
    const { project } = held.event;
    const group = projects.get(project);
    if (group === undefined) projects.set(project, [held]);
    else group.push(held);
  }
  const groups = [...projects].map(async ([project, held]): Promise<JobGroup[]> => {
    try {
      const { version, text } = await parts.rulesOf(project);
      return [{ project, version, rules: text, events: held.map(({ event }) => event), held }];
    } catch (error) {
      parts.failed(held, error);
      return [];
    }
  });
  return (await Promise.all(groups)).flat();
}

function tell(
  group: JobGroup,
  answer: readonly Evaluation[] | { readonly error: string } | undefined,
  parts: LaneParts,
): void {
  if (answer === undefined || 'error' in answer) {
    parts.failed(group.held, new Error(answer?.error ?? 'the thread left a group out'));
    return;
  }
  group.held.forEach((held, i) => {
    const evaluation = answer[i];
    if (evaluation === undefined) parts.failed([held], new Error('the thread left an event out'));
    else parts.evaluated(held, evaluation, group.version);
  });
}

/** The thread has ended: the event that it was at has failed, and the others wait again. */
function giveBack(groups: readonly JobGroup[], progress: number, error: unknown, parts: LaneParts): void {
  const all = allOf(groups);
  parts.returned(all.filter((_, i) => i !== progress));
  parts.failed(all.slice(progress, progress + 1), error);
}

interface Watch {
  stop(): void;
  /** Whether the job was ended because nothing of it had. */
  hasHung(): boolean;
}

/**
 * Looks at a job from time to time: is it stuck, or has its thread hung? Time is counted by looks: a process that was itself
 * kept from running, or a machine that slept, finds nothing stuck when it goes on.
 *
 * @param leave - Takes the job's thread out of the lane; false where that is not possible now.
 */
function watchJob(
  thread: EvaluatorThread,
  groups: readonly JobGroup[],
  parts: LaneParts,
  leave: () => boolean,
): Watch {
  const { stuckMs, hangMs } = parts;
  const everyMs = Math.max(1, Math.min(stuckMs ?? Infinity, hangMs) / 2);
  let [last, sinceProgressMs, sinceStartMs] = [0, 0, 0];
  let isStuck = false;
  let hasHung = false;
  const look = (): void => {
    const progress = thread.progress();
    sinceStartMs += everyMs;
    sinceProgressMs = progress === last ? sinceProgressMs + everyMs : 0;
    last = progress;
    if (sinceProgressMs >= hangMs) {
      hasHung = true;
      void thread.end();
    } else if (!isStuck && stuckMs !== null && sinceStartMs >= stuckMs && leave()) {
      isStuck = true;
      const later = groupsAfter(groups, progress);
      parts.stuck(groups[groups.length - later.length - 1]?.project ?? '');
      parts.replaced('stuck');
      parts.returned(later.flatMap(({ held }) => held));
    }
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer), hasHung: () => hasHung };
}

/** The groups behind the one in which so many events have ended. */
function groupsAfter(groups: readonly JobGroup[], progress: number): readonly JobGroup[] {
  let ended = 0;
  const at = groups.findIndex(({ held }) => (ended += held.length) > progress);
  return at < 0 ? [] : groups.slice(at + 1);
}
