/**
 * Work that takes turns: so much at once, and of one project no more than its part. What waits, waits in a fair queue.
 */
import { Problem } from '../errors/problem.js';
import { createFairQueue, type FairQueue } from './fair-queue.js';

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
   * @param signal - Takes the work out while it waits; then this rejects with the signal's reason. It ends no work that
   *   runs.
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

/** Work that waits for its project's turn. */
interface Waiting {
  readonly project: string;
  readonly start: () => void;
}

/** Nothing runs and nothing waits at first. */
export function createTurns(options: TurnsOptions): Turns {
  const { atOnce, ofProject, countsRunning = false } = options;
  const running = new Map<string, number>();
  const queue = createFairQueue<Waiting>();
  let all = 0;
  const ownOf = (project: string): number => running.get(project) ?? 0;
  const hasRoom = (project: string): boolean => all < atOnce && ownOf(project) < ofProject;
  const add = (project: string, one: 1 | -1): void => {
    all += one;
    if (ownOf(project) + one === 0) running.delete(project);
    else running.set(project, ownOf(project) + one);
    if (one < 0) startNext();
  };
  const startNext = (): void => {
    while (all < atOnce) {
      const next = queue.takeOne(hasRoom);
      if (next === undefined) return;
      add(next.project, 1);
      next.start();
    }
  };
  const turnOf = (project: string, signal: AbortSignal | undefined): Promise<void> => {
    if (queue.countOf(project) === 0 && hasRoom(project)) {
      add(project, 1);
      return Promise.resolve();
    }
    const counted = countsRunning ? { own: ownOf(project), all } : { own: 0, all: 0 };
    assertMayWait(options, queue.countOf(project) + counted.own, queue.size + counted.all);
    return waitIn(queue, project, signal);
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
      if (all >= atOnce) throw tooManyOfAll(options.of);
      add(project, 1);
      return () => add(project, -1);
    },
  };
}

/** Resolves when what it adds to the queue is taken out and started. The signal takes it out before. */
const waitIn = (queue: FairQueue<Waiting>, project: string, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const waiting: Waiting = {
      project,
      start() {
        signal?.removeEventListener('abort', leave);
        resolve();
      },
    };
    const leave = (): void => {
      queue.remove(project, waiting);
      reject(signal?.reason as Error);
    };
    queue.add(project, waiting);
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
