/** Processes that send and receive, so that they do not share the thread of what is measured. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Sent } from './load.js';
import type { Task } from './load-process.js';

/** A process that sends events. */
export interface Sender {
  readonly send: (task: Extract<Task, { send: string }>) => Promise<Sent>;
  readonly stop: () => void;
}

const begin = (): ChildProcess => fork(join(import.meta.dirname, 'load-process.ts'));

async function ask<Answer>(child: ChildProcess, task: Task): Promise<Answer> {
  child.send(task);
  const [answer] = (await once(child, 'message')) as [Answer];
  return answer;
}

export function startSender(): Sender {
  const child = begin();
  return { send: (task) => ask<Sent>(child, task), stop: () => void child.kill() };
}

/** A receiver that answers 204 at once. */
export interface Receiver {
  readonly url: string;
  /** Requests so far. */
  readonly received: () => Promise<number>;
  readonly stop: () => void;
}

export async function startReceiver(): Promise<Receiver> {
  const child = begin();
  return {
    url: await ask<string>(child, { receive: true }),
    received: () => ask<number>(child, { received: true }),
    stop: () => void child.kill(),
  };
}
