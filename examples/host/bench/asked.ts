/** Processes that send and receive, so that they do not share the thread of what is measured. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Certified } from '../../../test/hostile/certificates.js';
import type { AttackTask } from './attack-process.js';
import type { Attack } from './attacks.js';
import type { Sent } from './load.js';
import type { Task } from './load-process.js';
import { ADMIN_KEY, type Reachable } from './whole.js';

type SendTask = Extract<Task, { send: unknown }>;

/** A process that sends events. */
export interface Sender {
  readonly send: (task: SendTask) => Promise<Sent>;
  readonly stop: () => void;
}

/** A process that answers each message. */
export interface Asked {
  readonly child: ChildProcess;
  /** Rejects when the process ends, so that nobody waits for it forever. */
  readonly ended: Promise<never>;
}

/** Starts a process, by the name of its file. */
export function begin(file = 'load-process.ts', args: readonly string[] = [], env = process.env): Asked {
  const child = fork(join(import.meta.dirname, file), args, { env });
  const ended = once(child, 'exit').then(([code, signal]: (number | string | null)[]) => {
    throw new Error(`the process that sends, receives or attacks has ended: ${code ?? signal ?? ''}`);
  });
  ended.catch(() => undefined);
  return { child, ended };
}

/** The next message of a process. */
export async function told<Answer>({ child, ended }: Asked): Promise<Answer> {
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [Answer];
  return answer;
}

/** Sends a message to a process, and resolves to its answer. */
export function ask<Answer>(asked: Asked, task: Task | AttackTask | 'recorded'): Promise<Answer> {
  asked.child.send(task);
  return told(asked);
}

export function startSender(): Sender {
  const asked = begin();
  return { send: (task) => ask<Sent>(asked, task), stop: () => void asked.child.kill() };
}

/** A receiver that answers 204 at once. */
export interface Receiver {
  readonly url: string;
  /** Requests so far. */
  readonly received: () => Promise<number>;
  readonly stop: () => void;
}

/** @param certified - Makes it receive over TLS. */
export async function startReceiver(certified: Certified | null = null): Promise<Receiver> {
  const asked = begin();
  return {
    url: await ask<string>(asked, { receive: certified }),
    received: () => ask<number>(asked, { received: true }),
    stop: () => void asked.child.kill(),
  };
}

/** An attack by a process of its own, which is ready. */
export async function startAttack({ url }: Reachable, name: string, isSmoke: boolean): Promise<Attack> {
  const asked = begin('attack-process.ts');
  await ask<string>(asked, { ready: name, url, adminKey: ADMIN_KEY, isSmoke });
  return { run: (seconds) => ask<string>(asked, { seconds }), stop: () => void asked.child.kill() };
}
