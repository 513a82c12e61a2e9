/** Runs the worker, and kills it in the middle. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Said, WorkerSetup } from './worker.js';

/** When to kill the worker, and the callbacks for what it does. */
export interface Watch {
  /** Kills once this many deliveries are over, and some are in flight. */
  readonly killAfter: number;
  readonly onAttempt: (isOver: boolean) => void;
  /** Called between the death and the next start. */
  readonly onDeath: () => Promise<void>;
}

const script = fileURLToPath(new URL('worker.ts', import.meta.url));

/** Resolves when a worker has found nothing more to do. */
export async function supervise(setup: WorkerSetup, watch: Watch): Promise<void> {
  await runUntilKilled(start(setup), watch);
  await watch.onDeath();
  const heir = start(setup);
  heir.on('message', (told: Said) => {
    if (told.said === 'attempted') watch.onAttempt(isOver(told));
  });
  const [code] = (await once(heir, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the worker ended with ${code}`);
}

const start = (setup: WorkerSetup): ChildProcess => fork(script, [JSON.stringify(setup)]);

export const isOver = ({ state }: { readonly state: string }): boolean =>
  state === 'delivered' || state === 'failed';

async function runUntilKilled(worker: ChildProcess, { killAfter, onAttempt }: Watch): Promise<void> {
  const inFlight = new Set<string>();
  let over = 0;
  worker.on('message', (told: Said) => {
    if (told.said === 'claimed') for (const id of told.ids) inFlight.add(id);
    if (told.said !== 'attempted') return;
    inFlight.delete(told.id);
    onAttempt(isOver(told));
    if (isOver(told)) over++;
    if (over >= killAfter && inFlight.size > 0) worker.kill('SIGKILL');
  });
  await once(worker, 'exit');
  if (!worker.killed) throw new Error('the worker ended before it could be killed');
}
