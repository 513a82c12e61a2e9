/**
 * The hostile receivers in a process of their own, so that what the sender's process holds is the sender's. Run by
 * {@link openGroundsApart}; ends with its parent.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Grounds, openGrounds } from './world.js';

/** Opens the grounds in another process; `close` ends it. */
export async function openGroundsApart(paceMs: number): Promise<Grounds & { close(): Promise<void> }> {
  const file = fileURLToPath(import.meta.url);
  const child = fork(file, [String(paceMs)], { execArgv: ['--import', 'tsx'] });
  const grounds = await new Promise<Grounds>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Grounds));
    child.once('exit', (code) => reject(new Error(`the receivers' process ended with ${code}`)));
  });
  return { ...grounds, close: () => ended(child) };
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.disconnect();
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const opening = openGrounds(Number(process.argv[2]));
  process.once('disconnect', () => void opening.then(({ close }) => close()).then(() => process.exit()));
  const { urls, names, ca } = await opening;
  process.send?.({ urls, names, ca } satisfies Grounds);
}
