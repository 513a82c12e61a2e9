/**
 * Long work on stored events, in a thread: it reports progress, ends with what it has when its time is up, and ends
 * with its caller.
 */
import type { LongRun } from '../api/long-answer.js';
import type { Problem } from '../errors/problem.js';

/** The options of a thread's job. */
interface JobOptions<Progress> {
  readonly signal: AbortSignal;
  readonly finish: AbortSignal;
  readonly told: (soFar: Progress) => void;
}

const TIMEOUT_MS = 30_000;
/** The most that work needs after that to finish the event that it is on; then its thread is ended. */
const GRACE_MS = 3_000;

/**
 * @param run - Starts the job, which is told to finish when its time is up.
 * @throws The problem `timedOut` makes of the last progress, if the job does not finish even then.
 */
export async function runLong<Result, Progress>(
  run: (options: JobOptions<Progress>) => Promise<Result>,
  { signal, progress }: LongRun<Progress>,
  {
    deadline = () => AbortSignal.timeout(TIMEOUT_MS),
    timedOut,
  }: {
    /** @defaultValue 30 seconds */
    readonly deadline?: (() => AbortSignal) | undefined;
    readonly timedOut: (soFar: Partial<Progress>) => Problem;
  },
): Promise<Result> {
  const finish = deadline();
  const hardEnd = later(finish, GRACE_MS);
  let soFar: Partial<Progress> = {};
  try {
    return await run({
      signal: AbortSignal.any([signal, hardEnd]),
      finish,
      told: (told) => {
        soFar = told;
        progress?.(told);
      },
    });
  } catch (error) {
    throw hardEnd.aborted && error === hardEnd.reason ? timedOut(soFar) : error;
  }
}

/** A signal that fires a given time after another one. */
function later(signal: AbortSignal, ms: number): AbortSignal {
  const controller = new AbortController();
  const fire = (): void => void setTimeout(() => controller.abort(), ms).unref();
  if (signal.aborted) fire();
  else signal.addEventListener('abort', fire, { once: true });
  return controller.signal;
}
