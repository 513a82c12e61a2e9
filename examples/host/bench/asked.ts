/** Processes that send and receive, so that they do not share the thread of what is measured. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AttackTask } from './attack-process.js';
import type { Attack } from './attacks.js';
import type { Sent } from './load.js';
import type { Task } from './load-process.js';
import { ADMIN_KEY, type Reachable } from './whole.js';

/** A process that sends events. */
export interface Sender {
  readonly send: (task: Extract<Task, { send: string }>) => Promise<Sent>;
  readonly stop: () => void;
}

const begin = (file = 'load-process.ts'): ChildProcess => fork(join(import.meta.dirname, file));

async function ask<Answer>(child: ChildProcess, task: Task | AttackTask): Promise<Answer> {
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

/** An attack by a process of its own, which is ready. */
export async function startAttack({ url }: Reachable, name: string, isSmoke: boolean): Promise<Attack> {
  const child = begin('attack-process.ts');
  await ask<string>(child, { ready: name, url, adminKey: ADMIN_KEY, isSmoke });
  return { run: (seconds) => ask<string>(child, { seconds }), stop: () => void child.kill() };
}
