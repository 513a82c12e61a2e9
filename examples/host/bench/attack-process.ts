/**
 * A process that attacks, so that it does not share the thread of the honest sender. Its parent says which attack, and
 * when. It gives way to the others: an attacker has a machine of its own, so the processor time that it spends is not
 * what is measured.
 */
import { setPriority } from 'node:os';
import { createApi } from '../src/client/index.js';
import { type Attack, ATTACKS } from './attacks.js';

/** Orders to the process: get ready, or attack for this many seconds. */
export type AttackTask =
  | { readonly ready: string; readonly url: string; readonly adminKey: string; readonly isSmoke: boolean }
  | { readonly seconds: number };

setPriority(19);

let attack: Attack | null = null;

async function work(task: AttackTask): Promise<string> {
  if ('seconds' in task) return (await attack?.run(task.seconds)) ?? '';
  const { url, adminKey, isSmoke } = task;
  attack =
    (await ATTACKS[task.ready]?.({ url, api: createApi({ baseUrl: url, key: adminKey }) }, isSmoke)) ?? null;
  return '';
}

process.on('message', (task: AttackTask) => void work(task).then((said) => process.send?.(said)));
