/** Work that takes turns: so much at once, and of one project no more than its part. What waits, waits in a fair queue. */
import { Problem } from '../errors/problem.js';

/** Bounds of {@link createTurns}. */
export interface TurnsOptions {
  /** Pieces of work that run at once. */
  readonly atOnce: number;
  /** Runs of one project among them. */
  readonly ofProject: number;
  /** Pieces of one project that may wait; the next one is refused. */
  readonly waiting: number;
  /** Pieces of all projects that may wait. */
  readonly allWaiting: number;
  /** Pieces that run count as waiting, too. */
  readonly countsRunning?: boolean;
  /** Names the work in the sentence of a refusal, such as `replays`. */
  readonly of: string;
}

/** Turns of one process; mutable. */
export interface Turns {
  /**
   * Runs work when it is its project's turn.
   *
   * @param project - Its id; work of nobody in particular has the empty one.
   * @param signal - Takes the work out while it waits; then this rejects with the signal's reason. It ends no work that runs.
   * @throws Problem `too_many_requests` where too much of the project waits, `overloaded` where too much of all does.
   */
  run<T>(project: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /**
   * Takes a turn at once, for work that is to be refused before it begins.
   *
   * @returns Ends the turn; call it once.
   * @throws Problem `too_many_requests` if the project has as many as it may, `overloaded` if all projects together do.
   */
  take(project: string): () => void;
}

const RETRY_SECONDS = 1;

/** Nothing runs and nothing waits at first. */
export function createTurns(options: TurnsOptions): Turns {
  const { atOnce, ofProject, countsRunning = false } = options;
  const running = new Map<string, number>();
  /** The waiting work by project, in the order of the projects' turns; no line is empty. */
  const lines = new Map<string, (() => void)[]>();
  const all = { running: 0, waiting: 0 };
  const ownOf = (project: string): number => running.get(project) ?? 0;
  const hasRoom = (project: string): boolean => all.running < atOnce && ownOf(project) < ofProject;
  const add = (project: string, one: 1 | -1): void => {
    all.running += one;
    if (ownOf(project) + one === 0) running.delete(project);
    else running.set(project, ownOf(project) + one);
    if (one < 0) startNext();
  };
  /** A project that has had its turn goes to the end, where this loop meets it again. */
  const startNext = (): void => {
    for (const [project, line] of lines) {
      if (all.running >= atOnce) return;
      if (!hasRoom(project)) continue;
      lines.delete(project);
      const start = line.shift();
      if (line.length > 0) lines.set(project, line);
      all.waiting--;
      add(project, 1);
      start?.();
    }
  };
  const turnOf = (project: string, signal: AbortSignal | undefined): Promise<void> => {
    if (!lines.has(project) && hasRoom(project)) {
      add(project, 1);
      return Promise.resolve();
    }
    const line = lines.get(project) ?? [];
    const counted = countsRunning ? { own: ownOf(project), all: all.running } : { own: 0, all: 0 };
    assertMayWait(options, line.length + counted.own, all.waiting + counted.all);
    all.waiting++;
    lines.set(project, line);
    return waitIn(line, signal, () => {
      if (line.length === 0) lines.delete(project);
      all.waiting--;
    });
  };
  return {
    async run(project, work, signal) {
      await turnOf(project, signal);
      try {
        return await work();
      } finally {
        add(project, -1);
      }
    },
    take(project) {
      if (ownOf(project) >= ofProject) throw tooManyOfProject(options.of);
      if (all.running >= atOnce) throw tooManyOfAll(options.of);
      add(project, 1);
      return () => add(project, -1);
    },
  };
}

/**
 * Resolves when what it adds to the line is taken out and called.
 *
 * @param left - Called after the signal has taken it out.
 */
const waitIn = (line: (() => void)[], signal: AbortSignal | undefined, left: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const start = (): void => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    const leave = (): void => {
      line.splice(line.indexOf(start), 1);
      left();
      reject(signal?.reason as Error);
    };
    line.push(start);
    signal?.addEventListener('abort', leave, { once: true });
  });

/**
 * @param own - Pieces of the project that wait.
 * @param all - Pieces of all projects that wait.
 */
function assertMayWait({ waiting, allWaiting, of }: TurnsOptions, own: number, all: number): void {
  if (own >= waiting) throw tooManyOfProject(of);
  if (all >= allWaiting) throw tooManyOfAll(of);
}

function tooManyOfProject(of: string): Problem {
  const message = `too many ${of} of this project are under way: try again when some have ended`;
  return new Problem('too_many_requests', message, { retryAfter: RETRY_SECONDS });
}

const tooManyOfAll = (of: string): Problem =>
  new Problem('overloaded', `too many ${of} are under way: try again`, { retryAfter: RETRY_SECONDS });
