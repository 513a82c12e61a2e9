/** Work that takes turns: so much at once, and of one project no more than its part. What waits, waits in a fair queue. */
import { Problem } from './problem.js';

/** Bounds of {@link createTurns}. */
export interface TurnsOptions {
  /** Pieces of work that run at once. */
  readonly atOnce: number;
  /** Those of one project among them. */
  readonly ofProject: number;
  /** Pieces of one project that may wait; the next one is refused. */
  readonly waiting: number;
  /** Pieces of all projects that may wait. */
  readonly allWaiting: number;
  /** Names the work in the sentence of a refusal, such as `replays`. */
  readonly of: string;
}

/** Turns of one process; mutable. */
export interface Turns {
  /**
   * Runs work when it is its project's turn.
   *
   * @param project - Its id; work of nobody in particular has the empty one.
   * @throws Problem `too_many_requests` where too much of the project waits, `overloaded` where too much of all does.
   */
  run<T>(project: string, work: () => Promise<T>): Promise<T>;
}

const RETRY_SECONDS = 1;

/** Nothing runs and nothing waits at first. */
export function createTurns({ atOnce, ofProject, waiting, allWaiting, of }: TurnsOptions): Turns {
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
  const assertMayWait = (project: string): void => {
    if ((lines.get(project)?.length ?? 0) >= waiting) {
      const message = `too many ${of} of this project wait: try again when some have ended`;
      throw new Problem('too_many_requests', message, { retryAfter: RETRY_SECONDS });
    }
    if (all.waiting >= allWaiting) {
      throw new Problem('overloaded', `too many ${of} wait: try again`, { retryAfter: RETRY_SECONDS });
    }
  };
  const turnOf = (project: string): Promise<void> => {
    if (!lines.has(project) && hasRoom(project)) {
      add(project, 1);
      return Promise.resolve();
    }
    assertMayWait(project);
    all.waiting++;
    return new Promise((resolve) => {
      const line = lines.get(project) ?? [];
      line.push(resolve);
      lines.set(project, line);
    });
  };
  return {
    async run(project, work) {
      await turnOf(project);
      try {
        return await work();
      } finally {
        add(project, -1);
        startNext();
      }
    },
  };
}
