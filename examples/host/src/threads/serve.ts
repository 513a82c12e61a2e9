/** The side inside a thread: takes its orders and answers them. */
import { setPriority } from 'node:os';
import { platform } from 'node:process';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import {
  type Answer,
  DONE,
  type JobContext,
  type Jobs,
  type Order,
  OVER,
  plainError,
  type ThreadData,
  type Worker,
} from './messages.js';

/**
 * Makes the worker's jobs and runs them, each when it is asked for. Call it once, last in the worker's file.
 *
 * There is nothing to wait for: Node 20 can end the whole process when a thread is stopped while a module with a
 * top-level await is evaluated. An error before the jobs are made ends the thread, and its owner is told.
 */
export function serve(worker: Worker): void {
  void start(worker);
}

async function start(worker: Worker): Promise<void> {
  const port = parentPort as MessagePort;
  const { data, niceness, state } = workerData as ThreadData;
  const post = (answer: Answer): void => port.postMessage(answer);
  // On Linux this is the priority of the thread; elsewhere it would be that of the whole process.
  if (platform === 'linux' && niceness > 0) setPriority(niceness);
  const jobs: Jobs = await worker(data as never);
  let over = new AbortController();
  const run = async (name: string, input: unknown): Promise<void> => {
    over = new AbortController();
    const context: JobContext<unknown> = {
      isOver: () => Atomics.load(state, OVER) === 1,
      over: over.signal,
      tell: (told) => post({ kind: 'told', told }),
      count: (parts = 1) => void Atomics.add(state, DONE, parts),
    };
    try {
      post({ kind: 'result', result: await jobs[name]?.(input as never, context as never) });
    } catch (error) {
      post({ kind: 'failed', error: plainError(error) });
    }
  };
  port.on('message', (order: Order) => {
    if (order === 'over') over.abort();
    else void run(order.job, order.input);
  });
  post({ kind: 'started' });
}
